package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A query followed to its last page, one request after the other on one connection.
 *
 * @param rows how many there were in all
 * @param seconds from each request to the last byte of its answer
 */
record Drain(long rows, int pages, double seconds, Duration serverCpu) {
  private static final int READ_BYTES = 128 << 10;
  private static final int ANSWER_WITHIN_MILLIS = 60_000;

  /** Asks for pages until no continuation comes. */
  static Drain of(Child server, String query, int maxItems) {
    Duration cpu = server.cpu();
    long rows = 0;
    int pages = 0;
    long nanos = 0;
    String continuation = "";
    ByteBuf in = Unpooled.buffer(1 << 20);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
      socket.setTcpNoDelay(true);
      do {
        String request = new Account().query(query, maxItems, continuation);
        long start = System.nanoTime();
        int headBytes = ask(socket, request, in.clear());
        nanos += System.nanoTime() - start;
        var page = new Answer(in.toString(0, headBytes, StandardCharsets.US_ASCII), "").expect(200);
        rows += Long.parseLong(page.header("x-ms-item-count"));
        pages++;
        continuation = page.header("x-ms-continuation");
      } while (!continuation.isEmpty());
    } catch (IOException e) {
      throw new BenchFault("No answer from the server: " + e, e);
    }
    return new Drain(rows, pages, nanos / 1e9, server.cpu().minus(cpu));
  }

  /** Reads a whole answer and tells how long its head is. */
  private static int ask(Socket socket, String request, ByteBuf in) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var scanner = new AnswerScanner();
    while (scanner.answerBytes(in) < 0) {
      if (in.writeBytes(socket.getInputStream(), READ_BYTES) < 0) {
        throw new IOException("The server closed the connection");
      }
    }
    return scanner.headBytes();
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
