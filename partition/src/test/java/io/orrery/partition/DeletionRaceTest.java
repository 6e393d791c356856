package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.ChangeStart;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deletion of a key is committed, and the writer does not know of it yet. */
class DeletionRaceTest {
  private final CountDownLatch committed = new CountDownLatch(1);
  private final CountDownLatch known = new CountDownLatch(1);
  private volatile boolean late;

  private final PartitionFixture p = new PartitionFixture(LateStore::new);
  private long document;
  private CompletableFuture<PartitionAnswer> deletion = new CompletableFuture<>();

  /** Commits at once, and returns when the test releases it. */
  private final class LateStore extends ForwardingStore {
    LateStore(PartitionStore store) {
      super(store);
    }

    @Override
    public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
      CommitResult result = super.commit(expected, next, batch);
      if (late) {
        committed.countDown();
        try {
          known.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return result;
    }
  }

  @BeforeEach
  void delete() throws InterruptedException {
    document = ((Outcome.ItemCreated) p.create("a", "1").outcome()).item().counter();
    p.read("a", "1"); // the hint is learned
    late = true;
    deletion = p.submit(new ItemTask.DeleteAll(key("a")));
    committed.await();
  }

  @AfterEach
  void end() {
    late = false;
    known.countDown();
    assertInstanceOf(Outcome.LogicalPartitionDeleted.class, deletion.join().outcome());
    p.close();
  }

  @Test
  void readsDoNotFindTheItem() {
    PartitionAnswer byId = p.read("a", "1");
    assertInstanceOf(Refusal.NotFound.class, byId.outcome());
    assertEquals(2, byId.lsn());
    var byDocument = new ItemTask.Read(key("a"), new Target.Counter(document), Precondition.NONE);
    assertInstanceOf(Refusal.NotFound.class, p.run(byDocument).outcome());
  }

  @Test
  void feedsAndQueriesDoNotFindTheItem() {
    var slice = new FeedSlice.OneKey(key("a"));
    assertEquals(List.of(), p.feed(slice));
    assertEquals(List.of(), new QueryFixture(p).drain("SELECT VALUE c.id FROM c", 10).rows());
    var changes = new ChangeTask(slice, new ChangeStart.Beginning(), false, true, 10, 1 << 20);
    assertEquals(List.of(), p.partition.readChanges(changes).changes());
  }
}
