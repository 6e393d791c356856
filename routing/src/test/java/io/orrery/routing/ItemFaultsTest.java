package io.orrery.routing;

import static io.orrery.routing.TestDatabase.CONTAINER;
import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Throughput;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors on the way to a partition and back. */
@Timeout(120)
class ItemFaultsTest {
  private final StackOverflowError onCue = new StackOverflowError("on cue");

  private final CountDownLatch committing = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final MemoryStorage memory = new MemoryStorage();
  private volatile boolean failing;

  private final Storage storage =
      with(Storage.class, memory, "open", store -> failing((PartitionStore) store));
  private final OrreryDatabase database =
      OrreryDatabase.open(
          storage, DatabaseSettings.of(Limits.SEEDS).withThrottling().withClock(() -> 1));

  /** Does as another, but for the result of one method. */
  private static <T> T with(Class<T> type, T of, String name, UnaryOperator<Object> changed) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                Object result = method.invoke(of, arguments);
                return method.getName().equals(name) ? changed.apply(result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Keeps commits waiting, and fails when it is asked whether they move. */
  private PartitionStore failing(PartitionStore store) {
    PartitionStore waiting = with(PartitionStore.class, store, "commit", this::await);
    return with(PartitionStore.class, waiting, "isStalled", this::fail);
  }

  private Object await(Object result) {
    if (failing) {
      committing.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return result;
  }

  private Object fail(Object stalled) {
    if (failing) {
      throw onCue;
    }
    return stalled;
  }

  @BeforeEach
  void create() {
    created(new Operation.CreateDatabase(json("{'id':'d'}"), null));
    created(
        new Operation.CreateContainer(
            new DatabaseRef("d"), json(KEYED), new Throughput.Manual(400)));
  }

  private void created(Operation operation) {
    assertInstanceOf(Outcome.ResourceCreated.class, database.execute(operation).outcome());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private PendingReply write(int id) {
    var scope = new ItemScope(CONTAINER, PartitionKey.of("a"));
    var reply = new PendingReply(false);
    database.execute(
        new Operation.CreateItem(scope, json("{'id':'%d','pk':'a'}".formatted(id))), reply);
    return reply;
  }

  /** Whether the storage moves is looked at once half of the memory for writes is taken. */
  @Test
  void writesThatAPartitionFailsToTakeAreAnsweredAndGiveTheirUnitsBack() throws Exception {
    failing = true;
    PendingReply first = write(0);
    committing.await();
    Memory account = Memory.process();
    long others = account.boundBytes(Memory.Lane.WAITING_WRITES) / 2 + 1;
    assertTrue(account.tryTake(Memory.Lane.WAITING_WRITES, others));
    try {
      // Five request units each are drawn, of 400.
      for (int i = 1; i <= 200; i++) {
        PendingReply failed = write(i);
        var thrown = assertThrows(CompletionException.class, failed.answer::join);
        assertSame(onCue, thrown.getCause());
      }
    } finally {
      account.giveBack(Memory.Lane.WAITING_WRITES, others);
      failing = false;
      released.countDown();
    }
    assertInstanceOf(Outcome.ItemCreated.class, first.answer.join().outcome());
    assertInstanceOf(Outcome.ItemCreated.class, write(1).answer.join().outcome());
  }

  @Test
  void replyThatThrowsIsNotGivenAgain() {
    var given = new AtomicInteger();
    var reply =
        new Database.Reply() {
          @Override
          public void answer(Answer answer) {
            given.incrementAndGet();
            throw onCue;
          }

          @Override
          public void fault(Throwable fault) {
            given.incrementAndGet();
          }
        };
    var read =
        new Operation.ReadItem(
            new ItemScope(CONTAINER, PartitionKey.of("a")),
            new ItemRef.ById("none"),
            Precondition.NONE);
    assertSame(onCue, assertThrows(StackOverflowError.class, () -> database.execute(read, reply)));
    assertEquals(1, given.get());
  }
}
