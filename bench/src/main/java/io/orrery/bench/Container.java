package io.orrery.bench;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The container that items are written to and read from, made and filled through the API. */
final class Container {
  private static final int PER_STEP = 50_000;

  private Container() {}

  /** A container that indexes everything, as they do when nothing else is said. */
  static void create(int port, int throughput) {
    create(port, throughput, true);
  }

  static void create(int port, int throughput, boolean indexed) {
    create(new Account(), port, throughput, indexed);
  }

  static void create(Account account, int port, int throughput, boolean indexed) {
    Answer.to(account.createDatabase(), port).expect(201);
    String body =
        "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}"
            + (indexed ? "}" : ",\"indexingPolicy\":{\"indexingMode\":\"none\"}}");
    String offer = "x-ms-offer-throughput: " + throughput + "\r\n";
    Answer.to(account.createContainer(body, offer), port).expect(201);
  }

  static Answer createItem(int port, Documents documents, long number) {
    String head = new Account().createItem(documents.key(number), documents.bodyBytes());
    String body = new String(documents.body(number), StandardCharsets.US_ASCII);
    return Answer.to(head + body, port).expect(201);
  }

  static Answer readItem(int port, Documents documents, long number) {
    return readItem(new Account(), port, documents, number);
  }

  static Answer readItem(Account account, int port, Documents documents, long number) {
    String request = account.readItem(Documents.id(number), documents.key(number));
    return Answer.to(request, port).expect(200);
  }

  /** The first page of a query. */
  static Answer query(int port, String body, int maxItems) {
    return Answer.to(new Account().query(body, maxItems, ""), port).expect(200);
  }

  /** Creates the items with the numbers from {@code begin} up to {@code items}. */
  static void fill(Child server, Documents documents, long begin, long items, LoadOptions options)
      throws InterruptedException {
    fill(Account::new, server, documents, begin, items, options);
  }

  /** The same as whom the supplier says. */
  static void fill(
      Supplier<Account> account,
      Child server,
      Documents documents,
      long begin,
      long items,
      LoadOptions options)
      throws InterruptedException {
    var numbers = new AtomicLong();
    try (var load = Load.connect(Target.plain(server.port()), options.connections, 1)) {
      for (long done = begin; done < items; ) {
        long end = Math.min(items, done + PER_STEP);
        numbers.set(done);
        // Signed anew each time: a long fill outlives a signature.
        var requests = CreateRequests.upTo(account.get(), documents, numbers, end);
        Load.Result result = load.run(requests, 201, LoadOptions.SECONDS_MAX);
        if (result.answers() < end - done) {
          throw new BenchFault("The server takes fewer than 200 items per second");
        }
        done = end;
        Progress.say("loaded %,d of %,d items, %,.0f/s", done, items, result.perSecond());
      }
    }
  }
}
