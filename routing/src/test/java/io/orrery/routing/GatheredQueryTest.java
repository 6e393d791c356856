package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.ComputingThreads;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import io.orrery.operation.Throughput;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.query.plan.KeyFilter;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.script.ScriptHost;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two ranges are asked side by side, and what they find goes to disk. */
@Timeout(120)
class GatheredQueryTest {
  /** Groups of more than a spill file holds back. */
  private static final Value LARGE = Value.of("x".repeat(20_000));

  private static final CompiledQuery QUERY =
      Queries.compile("SELECT c.pk, MAX(udf.f(c.pk)) FROM c GROUP BY c.pk");

  private final CountDownLatch failing = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final ComputingThreads threads = new ComputingThreads("test", 1);

  /** Fails for the keys of the first range, and holds back all others. */
  private Parameters.UserFunctions functions(Set<Value> ofFirst) {
    return (name, given) -> {
      boolean fails = ofFirst.contains(given.getFirst());
      try {
        (fails ? failing : held).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (fails) {
        throw new StackOverflowError("as an item may bring about");
      }
      return LARGE;
    };
  }

  private GatheredQuery gathering(QueriedDatabase asked, SpillSpace space) {
    CatalogImage image = Catalog.join(asked.database.storage).image();
    ContainerEntry container = Objects.requireNonNull(image.container(TestDatabase.CONTAINER));
    String first = container.map().ranges().getFirst().id();
    Set<Value> ofFirst =
        asked.all("SELECT VALUE c.pk FROM c", -1, new FeedScope.OfRange(first, null)).stream()
            .map(Json::parse)
            .collect(Collectors.toSet());
    var settings = DatabaseSettings.of(Limits.SEEDS);
    var budget = QueryBudget.unaccounted();
    long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    var run =
        new QueryRun(
            container,
            Parameters.none().with(budget).with(functions(ofFirst)),
            QueryFunctions.of(
                Queries.compile("SELECT * FROM c"),
                container,
                image,
                new ScriptHost(settings.scripts()),
                budget),
            asked.database.database().partitions(),
            null,
            new PageDraw(asked.database.database().budgets(), QueryRun.PROBE),
            threads,
            deadline,
            deadline);
    var coverage =
        QueryCoverage.of(
            new FeedScope.Whole(),
            new KeyFilter.Everything(),
            container,
            new ItemTasks(Limits.SEEDS));
    return new GatheredQuery(run, coverage.shards(container.map()), space, 0);
  }

  /** The next future that a thread waits for; something else when it has ended. */
  private static @Nullable Object awaited(Thread thread, @Nullable Object before) {
    Object now = LockSupport.getBlocker(thread);
    while (thread.isAlive() && (!(now instanceof FutureTask) || now.equals(before))) {
      Thread.onSpinWait();
      now = LockSupport.getBlocker(thread);
    }
    return now;
  }

  @Test
  void anErrorOfOneRangeIsToldWhenTheOthersHaveEnded(@TempDir Path folder) throws Exception {
    var space = new SpillSpace(new SpillSettings(folder, 100 << 20, 0), Memory.process());
    try (var asked = new QueriedDatabase(QuerySettings.DEFAULT)) {
      asked.create(TestDatabase.KEYED, new Throughput.Manual(20_000));
      asked.insert(
          IntStream.range(0, 40).mapToObj(i -> "{'id':'" + i + "','pk':'p" + i + "'}").toList());
      GatheredQuery gathering = gathering(asked, space);
      var heldAtTheEnd = new CompletableFuture<Boolean>();
      var thrown = new CompletableFuture<Throwable>();
      Thread client =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      gathering.rows(QUERY).close();
                    } catch (Throwable e) {
                      heldAtTheEnd.complete(held.getCount() > 0);
                      thrown.complete(e);
                    }
                  });
      Object first = awaited(client, null);
      failing.countDown();
      awaited(client, first);
      held.countDown();
      client.join();
      threads.close();
      assertInstanceOf(StackOverflowError.class, thrown.join());
      assertAll(
          () -> assertFalse(heldAtTheEnd.join(), "the query ended while a range was still asked"),
          () -> assertEquals(0, space.usedBytes(), "written after it was closed"));
    }
  }
}
