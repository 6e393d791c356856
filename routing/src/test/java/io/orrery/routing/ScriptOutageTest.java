package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.Throughput;
import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A script whose partition is away for longer than it may run waits as other requests do. */
class ScriptOutageTest {
  private final MemoryStorage storage = new MemoryStorage(false);
  private final AtomicInteger failures = new AtomicInteger();

  @Test
  void scriptIsBegunAgainUntilTheStorageAnswers() {
    try (var membership = storage.join(new Joining("node", "test", Map.of()));
        var database =
            OrreryDatabase.open(
                proxy(Storage.class, storage),
                DatabaseSettings.of(Limits.SEEDS),
                new Neighbours(membership, new Nobody()))) {
      created(database, new Operation.CreateDatabase(json("{'id':'d'}"), null));
      created(
          database,
          new Operation.CreateContainer(
              new DatabaseRef("d"), json(KEYED), new Throughput.Manual(400)));
      String source = "function f() { getContext().getResponse().setBody(7); }";
      created(
          database,
          new Operation.CreateScript(
              CONTAINER, ScriptKind.STORED_PROCEDURE, json("{'id':'f','body':'" + source + "'}")));
      failures.set(3);
      Outcome outcome =
          database
              .execute(
                  new Operation.ExecuteScript(
                      new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, "f"),
                      PartitionKey.of("a"),
                      json("[]")))
              .outcome();
      var done = assertInstanceOf(Outcome.ScriptDone.class, outcome, outcome::toString);
      assertEquals("7", done.body().bytes().utf8());
      assertEquals(0, failures.get());
    }
  }

  private static void created(OrreryDatabase database, Operation operation) {
    Outcome outcome = database.execute(operation).outcome();
    assertInstanceOf(Outcome.ResourceCreated.class, outcome, outcome::toString);
  }

  /** The same, but what threads of scripts read fails as often as it is to. */
  private <T> T proxy(Class<T> type, Object real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("snapshot")
                  && Thread.currentThread().getName().equals("script")
                  && failures.get() > 0) {
                failures.decrementAndGet();
                throw new StorageFault("away");
              }
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof PartitionStore && arguments[0] instanceof PartitionId
                    ? proxy(PartitionStore.class, result)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** There are no other nodes. */
  private static final class Nobody implements Peers {
    @Override
    public CompletableFuture<byte[]> call(Member to, byte[] request) {
      throw new IllegalStateException("There is nobody");
    }

    @Override
    public void forget(Member gone) {}
  }
}
