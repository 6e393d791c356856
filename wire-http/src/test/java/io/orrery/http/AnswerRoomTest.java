package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.Memory;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AnswerRoomTest {
  private static final int LARGE_BYTES = 100_000;

  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  private final AtomicLong nanos = new AtomicLong();
  private final WireMemory memory = new WireMemory(Memory.ofHeap(64 << 20), nanos::get);
  private final AnswerRoom room = new AnswerRoom(memory, channel.pipeline().firstContext());

  private long drawn(Outcome outcome) {
    long bytes = room.draw(new Answer(outcome, RequestCharge.NONE, null, null));
    room.giveBack(bytes);
    return bytes;
  }

  private static StoredItem item(int bytes) {
    return new StoredItem(1, Body.json(" ".repeat(bytes)), 1, 0, 1);
  }

  @Test
  void imagesOfDeletedItemsAreCounted() {
    var deleted =
        new Change(Change.Kind.DELETE, 1, 1, "a", PartitionKey.EMPTY, null, item(LARGE_BYTES));
    assertTrue(drawn(new Outcome.ChangePage(List.of(deleted), 1, false)) >= LARGE_BYTES);
  }

  @Test
  void plansOfQueriesAreCounted() {
    var plan = Body.json(" ".repeat(LARGE_BYTES));
    assertEquals(LARGE_BYTES, drawn(new Outcome.QueryPlanned(plan)));
  }

  @Test
  void systemPropertiesAreCounted() {
    List<StoredItem> tiny = Collections.nCopies(300, item(20));
    assertTrue(drawn(new Outcome.ItemPage(tiny, null)) > 64 << 10);
  }

  @Test
  void whatFoundNoRoomKeepsNoContent() {
    var step = new Outcome.Step(new Outcome.ItemReplaced(item(LARGE_BYTES)), RequestCharge.NONE);
    var read = new Outcome.Step(new Outcome.ItemRead(item(LARGE_BYTES)), RequestCharge.NONE);
    var body = Body.json(" ".repeat(LARGE_BYTES));
    for (Outcome outcome :
        List.of(
            new Outcome.ItemCreated(item(LARGE_BYTES)),
            new Outcome.ItemRewritten(item(LARGE_BYTES), true, body),
            new Outcome.StepsDone(List.of(step, read)),
            new Outcome.ScriptDone(body, ""),
            new Outcome.ItemPage(List.of(item(LARGE_BYTES)), null))) {
      assertTrue(drawn(outcome) >= LARGE_BYTES);
      Answer brief = AnswerRoom.withoutContent(Answer.of(outcome, RequestCharge.NONE));
      assertEquals(0, drawn(brief.outcome()));
      assertEquals(AnswerRoom.isRead(outcome), AnswerRoom.isRead(brief.outcome()));
    }
  }

  /** An answer may wait for a worker for seconds before its client could take any of it. */
  @Test
  void anAnswerThatWaitsForTheServerIsNotEvicted() {
    var page = new Outcome.ItemPage(List.of(item(5 << 20)), null);
    room.hold(room.draw(new Answer(page, RequestCharge.NONE, null, null)));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertEquals(AnswerRoom.NO_ROOM, drawn(page));
    assertTrue(channel.isOpen());
    room.handedOver();
    channel.flush();
    assertTrue(drawn(page) > 0);
  }

  @Test
  void anAnswerThatItsClientDoesNotTakeIsEvicted() {
    var page = new Outcome.ItemPage(List.of(item(5 << 20)), null);
    room.hold(room.draw(new Answer(page, RequestCharge.NONE, null, null)));
    room.handedOver();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertEquals(AnswerRoom.NO_ROOM, drawn(page));
    assertTrue(channel.isOpen());
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertEquals(AnswerRoom.NO_ROOM, drawn(page));
    assertFalse(channel.isOpen());
    assertTrue(drawn(page) > 0);
  }
}
