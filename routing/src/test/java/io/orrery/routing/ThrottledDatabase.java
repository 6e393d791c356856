package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A database with budgets by a clock that stands still unless it is told. */
final class ThrottledDatabase implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong(1);
  private final MemoryStorage storage = new MemoryStorage();
  final OrreryDatabase database;

  private ThrottledDatabase(DatabaseSettings settings) {
    database = OrreryDatabase.open(storage, settings.withClock(nanos::get));
  }

  static ThrottledDatabase enforcing() {
    return new ThrottledDatabase(DatabaseSettings.of(Limits.SEEDS).withThrottling());
  }

  static ThrottledDatabase metering() {
    return new ThrottledDatabase(DatabaseSettings.of(Limits.SEEDS));
  }

  void passNanos(long passed) {
    nanos.addAndGet(passed);
  }

  void pass(long millis) {
    passNanos(millis * NANOS_PER_MILLI);
  }

  void createDatabase(@Nullable Throughput throughput) {
    database.execute(new Operation.CreateDatabase(TestDatabase.json("{'id':'d'}"), throughput));
  }

  void createContainer(String id, @Nullable Throughput throughput) {
    Body definition =
        TestDatabase.json(
            "{'id':'" + id + "','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2}}");
    Answer answer =
        database.execute(
            new Operation.CreateContainer(new DatabaseRef("d"), definition, throughput));
    assertInstanceOf(Outcome.ResourceCreated.class, answer.outcome());
  }

  private static ItemScope scope(String container, String key) {
    return new ItemScope(ContainerRef.of("d", container), PartitionKey.of(key));
  }

  /** Writes an item of some kilobytes; time passes meanwhile, so that it is let in. */
  void insert(String container, String key, int id, int kilobytes) {
    pass(20_000);
    Outcome created = create(container, key, id, kilobytes).outcome();
    assertInstanceOf(Outcome.ItemCreated.class, created);
    pass(20_000);
  }

  Answer create(String container, String key, int id, int kilobytes) {
    String text = "x".repeat(kilobytes * 1024);
    Body body =
        TestDatabase.json("{'id':'%d','pk':'%s','n':%d,'t':'%s'}".formatted(id, key, id, text));
    return database.execute(new Operation.CreateItem(scope(container, key), body));
  }

  /** Costs one request unit, whether the item is there or not. */
  Answer read(String container, String key) {
    return database.execute(
        new Operation.ReadItem(scope(container, key), new ItemRef.ById("1"), Precondition.NONE));
  }

  Answer query(String container, String text, int maxItems, @Nullable String continuation) {
    return query(container, text, new FeedScope.Whole(), new PageRequest(maxItems, continuation));
  }

  Answer query(String container, String text, FeedScope scope, PageRequest page) {
    return database.execute(
        new Operation.QueryItems(
            ContainerRef.of("d", container),
            new SqlQuery(text, Map.of()),
            scope,
            page,
            QueryOptions.ANYWHERE));
  }

  Answer feed(String container, FeedScope scope) {
    return database.execute(
        new Operation.ReadItemFeed(ContainerRef.of("d", container), scope, PageRequest.FIRST));
  }

  Answer changes(String container, FeedScope scope) {
    return database.execute(
        new Operation.ReadChanges(
            ContainerRef.of("d", container), scope, new ChangeStart.Beginning(), 10, false));
  }

  /** Asks until it is refused; gives the sum of what was let in. */
  static double unitsUntilThrottled(Supplier<Answer> request) {
    double units = 0;
    for (int i = 0; i < 100_000; i++) {
      Answer answer = request.get();
      if (answer.outcome() instanceof Refusal.Throttled) {
        return units;
      }
      units += answer.charge().units();
    }
    throw new AssertionError("never throttled");
  }

  /** Reads, one request unit each, until one is refused. */
  int readsUntilThrottled(String container, String key) {
    return (int) unitsUntilThrottled(() -> read(container, key));
  }

  static Refusal.Throttled throttled(Answer answer) {
    return assertInstanceOf(Refusal.Throttled.class, answer.outcome());
  }

  static void assertLetIn(Answer answer) {
    assertTrue(!(answer.outcome() instanceof Refusal.Throttled), answer::toString);
  }

  CatalogImage image() {
    return Catalog.open(storage).image();
  }

  ContainerEntry container(String id) {
    return ItemRouter.resolve(image(), ContainerRef.of("d", id));
  }

  /** What each range of a container was used. */
  List<Budget.Usage> usage(String container) {
    ContainerEntry entry = container(container);
    return entry.map().ranges().stream()
        .map(range -> database.budgets().of(image(), entry, range).usage())
        .toList();
  }

  /** Keys, one in each range of the container, in the order of the ranges. */
  List<String> keyPerRange(String container) {
    ContainerEntry entry = container(container);
    return entry.map().ranges().stream()
        .map(
            range ->
                IntStream.range(0, 1_000)
                    .mapToObj(i -> "k" + i)
                    .filter(
                        key ->
                            range
                                .epks()
                                .contains(
                                    EffectivePartitionKey.of(PartitionKey.of(key), entry.key())))
                    .findFirst()
                    .orElseThrow())
        .toList();
  }

  @Override
  public void close() {
    database.close();
    storage.close();
  }
}
