package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.DrawnBytes;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.Throughput;
import io.orrery.script.ScriptSettings;
import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A script whose partition is away for longer than it may run waits as other requests do. */
class ScriptOutageTest {
  private static final ScriptSettings SHORT = ScriptSettings.DEFAULT.within(Duration.ofSeconds(2));
  private static final Duration LONGER = Duration.ofSeconds(4);

  /** Tells how a read of what is not there ended. */
  private static final String READING =
      """
      function f() {
        const collection = getContext().getCollection();
        collection.readDocument(`${collection.getAltLink()}/docs/none`, (error) =>
          getContext().getResponse().setBody(error.number));
      }
      """
          .replaceAll("\\s+", " ");

  private static final String WRITING =
      """
      function f() {
        const collection = getContext().getCollection();
        collection.createDocument(collection.getAltLink(), { id: `i`, pk: `a` }, (error) =>
          getContext().getResponse().setBody(error ? error.number : 201));
      }
      """
          .replaceAll("\\s+", " ");

  private final MemoryStorage storage = new MemoryStorage(false);
  private final AtomicInteger failures = new AtomicInteger();

  /** How long the commit of a script takes. */
  private volatile Duration slowness = Duration.ZERO;

  /** How long the next step of a script waits. */
  private final AtomicReference<Duration> silence = new AtomicReference<>(Duration.ZERO);

  @Test
  void scriptIsBegunAgainUntilTheStorageAnswers() {
    try (var membership = storage.join(new Joining("node", "test", Map.of()));
        var database = shared(membership, ScriptSettings.DEFAULT)) {
      prepare(database, "function f() { getContext().getResponse().setBody(7); }");
      failures.set(3);
      assertEquals("7", body(execute(database)));
      assertEquals(0, failures.get());
    }
  }

  @Test
  void scriptThatWaitsInAStepHasAllItsTimeLeft() {
    try (var membership = storage.join(new Joining("node", "test", Map.of()));
        var database = shared(membership, SHORT)) {
      prepare(database, READING);
      warmUp(database);
      silence.set(LONGER);
      assertEquals("404", body(execute(database)));
      assertEquals(Duration.ZERO, silence.get());
    }
  }

  @Test
  void whereThereIsOneServerWaitingIsTheScriptsTime() {
    try (var database =
        OrreryDatabase.open(
            proxy(Storage.class, storage), DatabaseSettings.of(Limits.SEEDS).with(SHORT))) {
      prepare(database, READING);
      warmUp(database);
      silence.set(LONGER);
      Outcome outcome = execute(database);
      assertInstanceOf(Refusal.TimedOut.class, outcome, outcome::toString);
    }
  }

  /** The time of a script is over before its writes are committed: they are, and it is told. */
  @Test
  void commitThatTakesLongerThanTheScriptMayRunIsAnsweredAsDone() {
    try (var database =
        OrreryDatabase.open(
            proxy(Storage.class, storage), DatabaseSettings.of(Limits.SEEDS).with(SHORT))) {
      prepare(database, WRITING);
      slowness = LONGER;
      assertEquals("201", body(execute(database)));
      slowness = Duration.ZERO;
      var read =
          new Operation.ReadItem(
              new ItemScope(CONTAINER, PartitionKey.of("a")),
              new ItemRef.ById("i"),
              Precondition.NONE);
      Outcome outcome = database.execute(read).outcome();
      assertInstanceOf(Outcome.ItemRead.class, outcome, outcome::toString);
    }
  }

  private OrreryDatabase shared(Membership membership, ScriptSettings scripts) {
    return OrreryDatabase.open(
        proxy(Storage.class, storage),
        DatabaseSettings.of(Limits.SEEDS).with(scripts),
        new Neighbours(membership, new Nobody()));
  }

  private static void prepare(OrreryDatabase database, String source) {
    created(database, new Operation.CreateDatabase(json("{'id':'d'}"), null));
    created(
        database,
        new Operation.CreateContainer(
            new DatabaseRef("d"), json(KEYED), new Throughput.Manual(400)));
    created(
        database,
        new Operation.CreateScript(
            CONTAINER, ScriptKind.STORED_PROCEDURE, json("{'id':'f','body':'" + source + "'}")));
  }

  /** Where the machine is slow and the engine still cold, the first runs may take too long. */
  private static void warmUp(OrreryDatabase database) {
    Outcome outcome = execute(database);
    while (outcome instanceof Refusal.TimedOut) {
      outcome = execute(database);
    }
    assertEquals("404", body(outcome));
  }

  private static Outcome execute(OrreryDatabase database) {
    return database
        .execute(
            new Operation.ExecuteScript(
                new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "f"),
                PartitionKey.of("a"),
                json("[]")))
        .outcome();
  }

  private static String body(Outcome outcome) {
    return assertInstanceOf(Outcome.ScriptDone.class, outcome, outcome::toString)
        .body()
        .bytes()
        .utf8();
  }

  private static void created(OrreryDatabase database, Operation operation) {
    Outcome outcome = database.execute(operation).outcome();
    assertInstanceOf(Outcome.ResourceCreated.class, outcome, outcome::toString);
  }

  /** The same, but what scripts read fails as often as it is to, or waits. */
  private <T> T proxy(Class<T> type, Object real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (isBelow(ScriptRuns.class)) {
                suffer(method.getName());
              }
              try {
                Object result = method.invoke(real, arguments);
                return switch (result) {
                  case PartitionStore store when arguments[0] instanceof PartitionId ->
                      proxy(PartitionStore.class, store);
                  case Snapshot snapshot -> proxy(Snapshot.class, snapshot);
                  case null, default -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private void suffer(String method) {
    if (method.equals("snapshot") && failures.get() > 0) {
      failures.decrementAndGet();
      throw new StorageFault("away");
    }
    if (method.equals("commit")) {
      LockSupport.parkNanos(slowness.toNanos());
    }
    if (isBelow(ScriptDocuments.class)) {
      LockSupport.parkNanos(silence.getAndSet(Duration.ZERO).toNanos());
    }
  }

  private static boolean isBelow(Class<?> caller) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(caller.getName())));
  }

  /** There are no other nodes. */
  private static final class Nobody implements Peers {
    @Override
    public CompletableFuture<DrawnBytes> call(Member to, byte[] request) {
      throw new IllegalStateException("There is nobody");
    }

    @Override
    public void forget(Member gone) {}
  }
}
