package io.orrery.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator against the bare server, in one process. */
class BareServerTest {
  private static final int ITEMS = 500;
  private static final double LONG_SECONDS = 60;
  private static final String TAIL = ",\"_ts\":1}";

  private final Documents documents = Documents.ofOneKilobyte();
  private @TempDir Path folder = Path.of("");
  private ServerSocketChannel server = new NioServerSocketChannel();

  @AfterEach
  void stop() {
    server.close().awaitUninterruptibly();
  }

  private Answer model(String status) {
    int bodyBytes = documents.bodyBytes() - 1 + TAIL.length();
    String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
    return new Answer(head, "");
  }

  @Test
  void signedReadsAreAnsweredWithTheItem() throws InterruptedException {
    var store = BareStore.open(folder, 1 << 20, false);
    store.load(documents, ITEMS, TAIL);
    server = BareServer.start(new BareReader(store, model("200 OK")), null);
    int port = server.localAddress().getPort();
    String body = new String(documents.body(7), StandardCharsets.US_ASCII);
    Answer answer = Container.readItem(port, documents, 7);
    assertEquals(body.substring(0, body.length() - 1) + TAIL, answer.body());
    try (var load = Load.connect(Target.plain(port), 4, 1)) {
      Load.Result result = load.run(ReadRequests.sign(documents, ITEMS), 200, 0.2);
      assertEquals(result.answers(), result.latencies().getTotalCount());
    }
  }

  @Test
  void everyCreateIsWrittenOnce() throws Exception {
    var store = BareStore.open(folder, 1 << 20, false);
    server =
        BareServer.start(
            new BareWriter(
                store, new BareTerms(documents, true), new BareCreates(model("201 Created"), TAIL)),
            null);
    try (var load = Load.connect(Target.plain(server.localAddress().getPort()), 4, 1)) {
      var requests = CreateRequests.upTo(documents, new AtomicLong(), ITEMS);
      assertEquals(ITEMS, load.run(requests, 201, LONG_SECONDS).answers());
    }
    for (long number = 0; number < ITEMS; number++) {
      byte[] key = BareStore.primary(documents.key(number), Documents.id(number));
      assertNotNull(store.db().get(key));
    }
  }

  @Test
  void pagesHoldTheItemsThatTheIndexNames() throws InterruptedException {
    int items = 1_000;
    var queried = Documents.queried(items);
    var store = BareStore.open(folder, 1 << 20, false);
    store.loadIndexed(queried, items, TAIL);
    var page = new Answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "{\"a\":[{}],\"b\":1}");
    server = BareServer.start(BarePages.ofQueries(store, page), null);
    int port = server.localAddress().getPort();
    String equal =
        "{\"query\":\"\",\"parameters\":[{\"name\":\"@v\",\"value\":\"batch-00000007\"}]}";
    Answer batch = Container.query(port, equal, 100);
    assertEquals(100, batch.body().split("\"batch\":\"batch-00000007\"", -1).length - 1);
    String order = "{\"query\":\"\",\"parameters\":[{\"name\":\"@v\",\"value\":1000000000}]}";
    var ranks =
        Pattern.compile("\"rank\":(\\d+)")
            .matcher(Container.query(port, order, 100).body())
            .results()
            .map(rank -> Long.valueOf(rank.group(1)))
            .toList();
    List<Long> least =
        LongStream.range(0, items).map(Documents::rankOf).sorted().limit(100).boxed().toList();
    assertEquals(least, ranks);
  }

  @Test
  void batchesAreWrittenItemByItem() throws Exception {
    var batched = Documents.batched();
    var store = BareStore.open(folder, 1 << 20, false);
    var model = new Answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "[]");
    var shape = new BareBatches(model, batched.bodyBytes());
    server = BareServer.start(new BareWriter(store, new BareTerms(batched, true), shape), null);
    var numbers = new AtomicLong();
    try (var load = Load.connect(Target.plain(server.localAddress().getPort()), 2, 1)) {
      load.run(new BatchRequests(batched, numbers), 200, 0.2);
    }
    for (long number = 0; number < numbers.get(); number++) {
      byte[] key = BareStore.primary(batched.key(number), Documents.id(number));
      assertNotNull(store.db().get(key));
    }
  }

  @Test
  void changesComeBehindTheTransactionThatWasSeen() throws InterruptedException {
    var store = BareStore.open(folder, 1 << 20, false);
    store.loadChanged(documents, ITEMS, TAIL);
    var page = new Answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "{\"a\":[{}],\"b\":1}");
    server = BareServer.start(BarePages.ofChanges(store, page), null);
    String request = new Account().changes("000000000017", 100);
    Answer changes = Answer.to(request, server.localAddress().getPort()).expect(200);
    var ids =
        Pattern.compile("\"id\":\"([^\"]+)\"")
            .matcher(changes.body())
            .results()
            .map(id -> id.group(1))
            .toList();
    assertEquals(LongStream.range(17, 117).mapToObj(Documents::id).toList(), ids);
  }

  @Test
  void anUnexpectedStatusEndsTheLoad() throws InterruptedException {
    var store = BareStore.open(folder, 1 << 20, false);
    store.load(documents, 1, TAIL);
    server = BareServer.start(new BareReader(store, model("200 OK")), null);
    try (var load = Load.connect(Target.plain(server.localAddress().getPort()), 2, 1)) {
      var requests = ReadRequests.sign(documents, 1);
      assertThrows(BenchFault.class, () -> load.run(requests, 404, LONG_SECONDS));
    }
  }
}
