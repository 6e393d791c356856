package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Cut;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Throughput;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A split that fails beside a storage that does. */
class SplitOutageTest {
  private final MemoryStorage memory = new MemoryStorage();
  private final AtomicInteger failing = new AtomicInteger(1);

  /** How often partitions can be opened until that fails once. */
  private final AtomicInteger left = new AtomicInteger();

  private final Storage storage =
      (Storage)
          Proxy.newProxyInstance(
              Storage.class.getClassLoader(),
              new Class<?>[] {Storage.class},
              (self, method, arguments) -> {
                if (method.getName().equals("open") && left.decrementAndGet() == 0) {
                  throw new StorageFault("away");
                }
                try {
                  return method.invoke(memory, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  @Test
  void rangeWhoseSplitWasUndoneLateCanBeSplit() throws InterruptedException {
    var settings = DatabaseSettings.of(Limits.SEEDS).watchedBy(this::fail);
    try (var database = OrreryDatabase.open(storage, settings)) {
      created(database, new Operation.CreateDatabase(json("{'id':'d'}"), null));
      created(
          database,
          new Operation.CreateContainer(
              new DatabaseRef("d"), json(KEYED), new Throughput.Manual(1_000)));
      assertEquals(Reshape.Phase.FAILED, split(database).phase());
      assertEquals(Reshape.Phase.SUCCEEDED, split(database).phase());
    }
  }

  /** The first split fails behind its copies; the storage, once it has taken the seal back. */
  private void fail(ReshapeStep step) {
    if (step == ReshapeStep.COPIED && failing.getAndDecrement() > 0) {
      left.set(2);
      throw new StorageFault("on cue");
    }
  }

  private static Reshape.Report split(OrreryDatabase database) throws InterruptedException {
    Elasticity elasticity = database.elasticity();
    var container = elasticity.container(CONTAINER);
    return SplitTest.ended(elasticity.split(container, "0", new Cut.Midpoint(), false));
  }

  private static void created(OrreryDatabase database, Operation operation) {
    Outcome outcome = database.execute(operation).outcome();
    assertInstanceOf(Outcome.ResourceCreated.class, outcome, outcome::toString);
  }
}
