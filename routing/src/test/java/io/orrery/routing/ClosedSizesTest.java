package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.PartitionKey;
import io.orrery.partition.Sizes;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Those who watch see something, whatever the storage does. */
class ClosedSizesTest {
  private static final PartitionId ID = new PartitionId(1);

  private final TestDatabase database = new TestDatabase(true);
  private DatabaseFigures.OfPartition filled;

  @BeforeEach
  void fill() {
    database.createKeyed(1);
    for (int n = 0; n < 3; n++) {
      var _ = database.create(PartitionKey.of("a"), "{'id':'%d','pk':'a'}".formatted(n));
    }
    filled = database.database().figures().partitions().getFirst();
    assertEquals(3, filled.items());
    assertTrue(filled.bytes() > 0);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void sizesAreThoseOfTheMoment() {
    var sizes = new ClosedSizes(database.storage);
    for (int look = 0; look < 2; look++) {
      assertEquals(filled.bytes(), one(sizes).bytes());
    }
    assertEquals(Map.of(), sizes.of(Set.of()));
  }

  @Test
  void storageThatDoesNotAnswerIsNotWaitedFor() throws InterruptedException {
    var answering = new CountDownLatch(1);
    var sizes = new ClosedSizes(before(answering::await));
    assertEquals(Map.of(), sizes.of(Set.of(ID)));
    answering.countDown();
    while (sizes.of(Set.of(ID)).isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals(filled.items(), one(sizes).items());
  }

  @Test
  void storageThatFailsLeavesTheSizesAsTheyWere() {
    boolean[] fails = {false};
    var sizes =
        new ClosedSizes(
            before(
                () -> {
                  if (fails[0]) {
                    throw new StorageFault("planted");
                  }
                }));
    assertEquals(3, one(sizes).items());
    fails[0] = true;
    assertEquals(filled.bytes(), one(sizes).bytes());
  }

  @Test
  void restartedDatabaseTellsOfPartitionsThatNobodyAskedFor() {
    database.restart();
    List<DatabaseFigures.OfPartition> now = database.database().figures().partitions();
    assertEquals(1, now.size());
    assertEquals(filled.bytes(), now.getFirst().bytes());
  }

  private static Sizes one(ClosedSizes sizes) {
    return Objects.requireNonNull(sizes.of(Set.of(ID)).get(ID));
  }

  /** The real storage, behind something that happens whenever a partition is asked for. */
  private Storage before(Happening happening) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open")) {
                happening.run();
              }
              try {
                return method.invoke(database.storage, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private interface Happening {
    void run() throws InterruptedException;
  }
}
