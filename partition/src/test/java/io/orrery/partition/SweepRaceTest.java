package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A key is deleted just before a point read reads the item, and swept just before it looks for the
 * marker of the deletion, which goes with the item.
 */
class SweepRaceTest {
  private final CountDownLatch sweep = new CountDownLatch(1);
  private final AtomicInteger commits = new AtomicInteger(Integer.MIN_VALUE);
  private volatile boolean armed;
  private final PartitionFixture p = new PartitionFixture(RacingStore::new);

  private final class RacingStore extends ForwardingStore {
    RacingStore(PartitionStore store) {
      super(store);
    }

    @Override
    public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
      // The second one is that of the sweep.
      if (commits.incrementAndGet() == 2) {
        try {
          sweep.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return super.commit(expected, next, batch);
    }

    @Override
    public Read get(byte[] key) {
      if (armed && key[0] == Keys.ITEM) {
        armed = false;
        commits.set(0);
        assertInstanceOf(
            Outcome.LogicalPartitionDeleted.class,
            p.run(new ItemTask.DeleteAll(key("a"))).outcome());
      } else if (key[0] == Keys.MARKER) {
        sweep.countDown();
        while (super.get(key).value() != null) {
          Thread.onSpinWait();
        }
      }
      return super.get(key);
    }
  }

  @AfterEach
  void end() {
    sweep.countDown();
    p.close();
  }

  private long created() {
    return ((Outcome.ItemCreated) p.create("a", "1").outcome()).item().counter();
  }

  private void isNotFoundAfterTheSweep(PartitionAnswer answer) {
    assertInstanceOf(Refusal.NotFound.class, answer.outcome());
    assertEquals(3, answer.lsn());
  }

  @Test
  void readByIdDoesNotFindTheItem() {
    created();
    armed = true;
    isNotFoundAfterTheSweep(p.read("a", "1"));
  }

  @Test
  void readByHintDoesNotFindTheItem() {
    created();
    p.read("a", "1"); // the hint is learned
    armed = true;
    isNotFoundAfterTheSweep(p.read("a", "1"));
  }

  @Test
  void readByDocumentNumberDoesNotFindTheItem() {
    var read = new ItemTask.Read(key("a"), new Target.Counter(created()), Precondition.NONE);
    armed = true;
    isNotFoundAfterTheSweep(p.run(read));
  }
}
