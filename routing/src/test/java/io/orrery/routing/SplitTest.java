package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.Cut;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.Throughput;
import io.orrery.partition.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitions that split and merge under a database in use. */
class SplitTest {
  private static final Limits SMALL = Limits.SEEDS.withPartitionBytes(60_000, 100_000);

  private volatile Consumer<ReshapeStep> watcher = step -> {};
  private final MemoryStorage storage = new MemoryStorage();
  private final TestDatabase database = open(SMALL);
  private final QueriedDatabase queries = new QueriedDatabase(database);

  private TestDatabase open(Limits limits) {
    return new TestDatabase(
        storage, DatabaseSettings.of(limits).watchedBy(step -> watcher.accept(step)));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void create(int units) {
    database.createDatabase("d");
    database.createContainer(TestDatabase.KEYED, new Throughput.Manual(units));
  }

  private Elasticity elasticity() {
    return database.database().elasticity();
  }

  private static String item(String pk, int n) {
    return "{'id':'%d','pk':'%s','n':%d,'t':'%s'}".formatted(n, pk, n, "x".repeat(150));
  }

  private void insert(int from, int to, int keys) {
    for (int n = from; n < to; n++) {
      String pk = "k" + n % keys;
      assertInstanceOf(
          Outcome.ItemCreated.class, database.create(PartitionKey.of(pk), item(pk, n)));
    }
  }

  private List<PartitionKeyRange> ranges() {
    var operation = new Operation.ReadPartitionKeyRanges(TestDatabase.CONTAINER, null);
    return assertInstanceOf(Outcome.Ranges.class, database.outcome(operation)).ranges();
  }

  private List<String> ids() {
    return ranges().stream().map(range -> Long.toString(range.number())).toList();
  }

  private void assertAll(int count, int keys) {
    for (int n = 0; n < count; n++) {
      assertInstanceOf(
          Outcome.ItemRead.class, database.read(PartitionKey.of("k" + n % keys), "" + n), "" + n);
    }
    List<String> expected = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      expected.add("" + n);
    }
    assertEquals(expected, queries.all("SELECT VALUE c.n FROM c ORDER BY c.n", 37));
    assertEquals(
        new TreeSet<>(expected), new TreeSet<>(queries.all("SELECT VALUE c.n FROM c", 23)));
    assertEquals(List.of("" + count), queries.all("SELECT VALUE COUNT(1) FROM c", 10));
  }

  private Reshape.Report split(String range, Cut cut) throws InterruptedException {
    var container = database.database().elasticity().container(TestDatabase.CONTAINER);
    return ended(elasticity().split(container, range, cut, false));
  }

  static Reshape.Report ended(Reshape reshape) throws InterruptedException {
    reshape.awaitEndOf(Reshape.Phase.PREPARING, Duration.ofSeconds(30));
    reshape.awaitEndOf(Reshape.Phase.SWAPPING, Duration.ofSeconds(30));
    return reshape.report();
  }

  @Test
  void fullPartitionsSplitByThemselves() {
    create(1_000);
    insert(0, 1_500, 300);
    elasticity().settle();
    assertTrue(ranges().size() >= 3, ranges().toString());
    assertAll(1_500, 300);
    var split =
        elasticity().reshapes().stream()
            .filter(reshape -> reshape.report().plan().cause() == Reshape.Cause.STORAGE)
            .toList();
    assertEquals(ranges().size() - 1, split.size());
    // The catalog and the partitions of the map: nothing else is left.
    assertEquals(1 + ranges().size(), storage.list().size());
    database.restart();
    assertAll(1_500, 300);
  }

  @Test
  void moreThroughputSplitsTheFewestPartitions() throws InterruptedException {
    create(10_000);
    insert(0, 200, 50);
    Outcome.OfferRead offer = replaceOffer(25_000);
    assertTrue(offer.replacePending() || ranges().size() == 3);
    elasticity().settle();
    assertEquals(3, ranges().size());
    assertFalse(replaceOffer(30_000).replacePending());
    assertFalse(replaceOffer(400).replacePending());
    assertEquals(3, ranges().size());
    assertAll(200, 50);
  }

  /** Otherwise one long change of an indexing policy would hold up the splits of all containers. */
  @Test
  @Timeout(60)
  void automaticSplitDoesNotWaitForeverForUpkeep() {
    create(1_000);
    insert(0, 1, 1); // opens it
    var range = elasticity().container(TestDatabase.CONTAINER).map().ranges().getFirst();
    Partition partition = database.database().partitions().served(range.partition());
    assertTrue(partition.pauseUpkeep(), "as if it could not wait for another");
    insert(1, 800, 300);
    elasticity().settle();
    var first = elasticity().reshapes().getLast().report();
    assertEquals(Reshape.Phase.FAILED, first.phase());
    assertTrue(String.valueOf(first.failure()).contains("another indexing policy"));
  }

  private Outcome.OfferRead replaceOffer(int units) {
    var list =
        new Operation.ListResources(new ResourceFeed.Offers(), new PageRequest(10, null), null);
    String rid =
        assertInstanceOf(Outcome.ResourcePage.class, database.outcome(list))
            .resources()
            .getFirst()
            .rid();
    Body body =
        TestDatabase.json("{'id':'" + rid + "','content':{'offerThroughput':" + units + "}}");
    return assertInstanceOf(
        Outcome.OfferRead.class,
        database.outcome(new Operation.ReplaceOffer(rid, body, Precondition.NONE)));
  }

  @ParameterizedTest
  @EnumSource(ReshapeStep.class)
  void writesGoOnAtEveryStep(ReshapeStep at) throws Exception {
    create(1_000);
    insert(0, 200, 40);
    var written = new CompletableFuture<Outcome>();
    watcher =
        step -> {
          if (step == at) {
            Thread.ofVirtual()
                .start(
                    () ->
                        written.complete(database.create(PartitionKey.of("k0"), item("k0", 200))));
            if (step != ReshapeStep.SEALED && step != ReshapeStep.COPIED) {
              written.join();
            }
          }
        };
    var report = split("0", new Cut.ByData());
    assertEquals(Reshape.Phase.SUCCEEDED, report.phase(), report.toString());
    assertInstanceOf(Outcome.ItemCreated.class, written.get());
    assertEquals(List.of("1", "2"), report.targetIds());
    assertAll(201, 40);
  }

  @ParameterizedTest
  @EnumSource(ReshapeStep.class)
  void restartUndoesOrFinishes(ReshapeStep at) throws Exception {
    create(1_000);
    insert(0, 200, 40);
    var arrived = new CountDownLatch(1);
    var never = new CountDownLatch(1);
    watcher =
        step -> {
          if (step == at) {
            arrived.countDown();
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    Thread.ofVirtual().start(() -> splitQuietly("0"));
    arrived.await();
    // As after a crash: whoever was at work is never heard of again.
    try (var after = new TestDatabase(storage, DatabaseSettings.of(SMALL))) {
      var found = new QueriedDatabase(after);
      assertEquals(List.of("200"), found.all("SELECT VALUE COUNT(1) FROM c", 10));
      assertInstanceOf(
          Outcome.ItemCreated.class, after.create(PartitionKey.of("k0"), item("k0", 200)));
      int partitions = at.compareTo(ReshapeStep.DECIDED) < 0 ? 1 : 2;
      assertEquals(1 + partitions, storage.list().size());
      after.restart();
      assertEquals(List.of("201"), found.all("SELECT VALUE COUNT(1) FROM c", 10));
    } finally {
      never.countDown();
    }
  }

  private void splitQuietly(String range) {
    try {
      split(range, new Cut.ByData());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void neighboursMerge() throws InterruptedException {
    create(1_000);
    insert(0, 200, 40);
    split("0", new Cut.Midpoint());
    insert(200, 300, 40);
    var container = elasticity().container(TestDatabase.CONTAINER);
    var report = ended(elasticity().merge(container, List.of("2", "1"), false));
    assertEquals(Reshape.Phase.SUCCEEDED, report.phase(), report.toString());
    assertEquals(List.of("3"), ids());
    assertEquals(List.of(0L, 1L, 2L), ranges().getFirst().parents());
    assertAll(300, 40);
    assertEquals(2, storage.list().size());
  }

  @Test
  void continuationsLiveOn() throws InterruptedException {
    create(1_000);
    insert(0, 300, 60);
    List<String> inOrder = queries.all("SELECT VALUE c.n FROM c", 1_000);
    for (String query :
        List.of("SELECT VALUE c.n FROM c ORDER BY c.n", "SELECT VALUE c.n FROM c")) {
      var first = queries.page(query, 50, null);
      String range = ids().getLast();
      split(range, new Cut.ByData());
      List<String> rows = new ArrayList<>();
      first.rows().forEach(row -> rows.add(row.utf8()));
      String continuation = first.continuation();
      while (continuation != null) {
        var page = queries.page(query, 50, continuation);
        page.rows().forEach(row -> rows.add(row.utf8()));
        continuation = page.continuation();
      }
      assertEquals(300, rows.size());
      assertEquals(new TreeSet<>(inOrder), new TreeSet<>(rows), query);
    }
    // A range that is gone is still answered, over the keys that it had.
    assertEquals(
        300, queries.all("SELECT VALUE c.n FROM c", 70, new FeedScope.OfRange("0", null)).size());
  }

  @Test
  void logicalPartitionHasALimit() {
    create(1_000);
    Outcome full = new Outcome.ItemDeleted();
    int n = 0;
    while (!(full instanceof Refusal)) {
      full = database.create(PartitionKey.of("k"), item("k", n++));
    }
    assertEquals(new Refusal.LogicalPartitionFull(60_000), full);
    assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.of("k"), "0"));
    var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of("k"));
    var smaller = TestDatabase.json("{'id':'0','pk':'k'}");
    assertInstanceOf(
        Outcome.ItemReplaced.class,
        database.outcome(
            new Operation.ReplaceItem(scope, new ItemRef.ById("0"), smaller, Precondition.NONE)));
    assertInstanceOf(
        Outcome.ItemDeleted.class,
        database.outcome(
            new Operation.DeleteItem(scope, new ItemRef.ById("1"), Precondition.NONE)));
    assertInstanceOf(
        Outcome.ItemCreated.class, database.create(PartitionKey.of("k"), item("k", n)));
    elasticity().settle();
    assertEquals(List.of("0"), ids());
  }

  @Test
  void containerThatMayNotSplitRefusesToGrow() {
    create(400);
    Outcome last = new Outcome.ItemDeleted();
    int n = 0;
    while (!(last instanceof Refusal)) {
      String pk = "k" + n % 10;
      last = database.create(PartitionKey.of(pk), item(pk, n++));
    }
    assertEquals(new Refusal.PartitionFull(100_000), last);
    var container = elasticity().container(TestDatabase.CONTAINER);
    assertThrows(
        Refused.class, () -> elasticity().split(container, "0", new Cut.Midpoint(), false));
  }

  @Test
  void repeatedAndImpossibleRequestsAreRefused() throws InterruptedException {
    create(1_000);
    insert(0, 20, 10);
    var container = elasticity().container(TestDatabase.CONTAINER);
    var stepped = elasticity().split(container, "0", new Cut.Midpoint(), true);
    assertThrows(
        Refused.class, () -> elasticity().split(container, "0", new Cut.Midpoint(), false));
    assertEquals(Reshape.Phase.PREPARING, stepped.report().phase());
    insert(20, 30, 10);
    stepped.advance();
    stepped.awaitEndOf(Reshape.Phase.PREPARING, Duration.ofSeconds(10));
    assertEquals(Reshape.Phase.SWAPPING, stepped.report().phase());
    insert(30, 40, 10);
    assertEquals(List.of("0"), ids());
    stepped.advance();
    assertEquals(Reshape.Phase.SUCCEEDED, ended(stepped).phase());
    assertEquals(List.of("1", "2"), ids());
    assertAll(40, 10);
    assertThrows(
        Refused.class, () -> elasticity().split(container, "0", new Cut.Midpoint(), false));
    assertThrows(Refused.class, () -> elasticity().merge(container, List.of("1"), false));
  }
}
