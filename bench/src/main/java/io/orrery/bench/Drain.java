package io.orrery.bench;

import java.time.Duration;

/**
 * A query followed to its last page, one request after the other.
 *
 * @param rows how many there were in all
 */
record Drain(long rows, int pages, double seconds, Duration serverCpu) {

  /** Asks for pages until no continuation comes. */
  static Drain of(Child server, String query, int maxItems) {
    Duration cpu = server.cpu();
    long start = System.nanoTime();
    long rows = 0;
    int pages = 0;
    String continuation = "";
    do {
      Answer page = Answer.to(new Account().query(query, maxItems, continuation), server.port());
      rows += Long.parseLong(page.expect(200).header("x-ms-item-count"));
      pages++;
      continuation = page.header("x-ms-continuation");
    } while (!continuation.isEmpty());
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Drain(rows, pages, seconds, server.cpu().minus(cpu));
  }

  /** A fault unless it gave this many rows. */
  Drain expect(long wanted) {
    if (rows != wanted) {
      throw new BenchFault("A query gave " + rows + " rows, not " + wanted);
    }
    return this;
  }

  double cpuSeconds() {
    return serverCpu.toNanos() / 1e9;
  }
}
