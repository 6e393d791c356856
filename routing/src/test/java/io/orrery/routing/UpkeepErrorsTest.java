package io.orrery.routing;

import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Throughput;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import io.orrery.storage.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Upkeep of the process that meets an Error goes on. */
@Timeout(120)
class UpkeepErrorsTest {
  private final MemoryStorage memory = new MemoryStorage();
  private final AtomicBoolean failing = new AtomicBoolean(true);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Fails when that thread opens a partition for the first time. */
  private Storage failingOn(String thread) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (self, method, arguments) -> {
              if (method.getName().equals("open")
                  && Thread.currentThread().getName().equals(thread)) {
                if (failing.getAndSet(false)) {
                  VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
                  throw new StackOverflowError("on cue");
                }
                opened.countDown();
              }
              try {
                return method.invoke(memory, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void created(OrreryDatabase database, Operation operation) {
    assertInstanceOf(Outcome.ResourceCreated.class, database.execute(operation).outcome());
  }

  @Test
  void expiryGoesOn() throws InterruptedException {
    assertGoesOn("expiry", KEYED.replace("'id':'c'", "'id':'c','defaultTtl':1"));
  }

  /** Without items that expire: it looks at partitions that are not open. */
  @Test
  void elasticityGoesOn() throws InterruptedException {
    assertGoesOn("elasticity", KEYED);
  }

  private void assertGoesOn(String thread, String definition) throws InterruptedException {
    var settings = DatabaseSettings.of(Limits.SEEDS);
    try (var database = OrreryDatabase.open(memory, settings)) {
      created(database, new Operation.CreateDatabase(json("{'id':'d'}"), null));
      created(
          database,
          new Operation.CreateContainer(
              new DatabaseRef("d"), json(definition), new Throughput.Manual(1_000)));
    }
    try (var database = OrreryDatabase.open(failingOn(thread), settings)) {
      for (int second = 0; second < 60 && opened.getCount() > 0; second++) {
        database.elasticity().look();
        opened.await(1, TimeUnit.SECONDS);
      }
      assertTrue(opened.await(0, TimeUnit.SECONDS), "the thread has ended");
    }
  }
}
