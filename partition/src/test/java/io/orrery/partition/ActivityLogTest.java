package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.json;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Activity;
import io.orrery.operation.Body;
import io.orrery.operation.ItemRule;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import io.orrery.storage.PartitionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An Error on the writer is logged with the activity id of the request that it ended. */
class ActivityLogTest {
  private static final String ID = "0c54b6de-0000-4000-8000-000000000001";
  private static final List<String> LOGGED =
      List.of("A write of partition 7 ended by an error, first activities [" + ID + "]");

  private final CaughtLog log = new CaughtLog(SharedGroups.class);
  private final PartitionFixture p =
      new PartitionFixture(new MemoryStorage().open(new PartitionId(7)), new UniqueKeys(List.of()));

  @AfterEach
  void close() {
    p.close();
    log.close();
  }

  /**
   * A write whose rule throws an Error at its call number {@code before}, counted from 0: earlier
   * calls are those of a transaction, before the writer's.
   */
  private static ItemTask failing(int before) {
    var calls = new AtomicInteger();
    ItemRule rule =
        item -> {
          if (calls.getAndIncrement() == before) {
            VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
            throw new StackOverflowError("planted");
          }
          return null;
        };
    return new ItemTask.Merge(key("a"), item(json("a", "1", 1)), Precondition.NONE, rule);
  }

  private CompletableFuture<PartitionAnswer> submit(ItemTask task) {
    var done = new CompletableFuture<PartitionAnswer>();
    p.partition.execute(task, new JoinedReply(done, ID));
    return done;
  }

  @Test
  void theLogNamesAWriteThatFailed() {
    p.create("a", "1");
    assertThrows(CompletionException.class, () -> submit(failing(0)).join());
    assertEquals(LOGGED, log.lines());
  }

  @Test
  void theLogNamesAConditionalBatchThatFailed() {
    p.create("a", "1");
    List<Patch.Step> steps =
        List.of(new Patch.Increment(new Patch.Path(List.of("n")), Body.json("1")));
    var conditional = new Patch(steps, "FROM c WHERE c.n = 1");
    var patch = new ItemTask.PatchOne(key("a"), new Target.Id("1"), conditional, Precondition.NONE);
    var batch = new ItemTask.Batch(key("a"), List.of(patch, failing(1)));
    assertThrows(CompletionException.class, () -> submit(batch).join());
    assertEquals(LOGGED, log.lines());
  }

  @Test
  void theLogNamesTheRequestOfATransactionThatFailed() {
    p.create("a", "1");
    try (Transaction transaction = p.partition.begin(key("a"))) {
      transaction.execute(failing(1));
      assertThrows(CompletionException.class, () -> Activity.run(ID, transaction::commit));
    }
    assertEquals(LOGGED, log.lines());
  }
}
