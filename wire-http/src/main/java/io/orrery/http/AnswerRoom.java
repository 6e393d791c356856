package io.orrery.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Change;
import io.orrery.operation.Outcome;
import io.orrery.operation.Resource;
import io.orrery.operation.StoredItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws the bytes of large answers from the memory for answers, before they are written and until
 * the client has taken them. What is written beyond that is drawn while the client does not take
 * it.
 */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class AnswerRoom {
  static final long NO_ROOM = -1;

  private static final long SMALL_BYTES = 64 << 10;
  private static final StoredItem NOTHING = new StoredItem(0, Body.json(new byte[0]), 0, 0, 0);

  private final LaneRoom room;
  private final ChannelHandlerContext context;
  private final UnsentRoom unsent;
  private long heldBytes;

  AnswerRoom(WireMemory memory, ChannelHandlerContext context) {
    this.room = memory.out();
    this.context = context;
    this.unsent = new UnsentRoom(memory.unsent(), context);
  }

  /** Sends what was written, and draws what the client does not take at once. */
  void flush() {
    context.flush();
    unsent.look();
  }

  /**
   * Draws the bytes of an answer, on the thread that made it: answers that wait for their event
   * loop are held, too.
   *
   * @return what was drawn; {@link #NO_ROOM} when there is none
   */
  long draw(Answer answer) {
    long bytes = bytesOf(answer.outcome());
    if (bytes <= SMALL_BYTES) {
      return 0;
    }
    if (!room.tryTake(bytes)) {
      room.evict(bytes);
      return NO_ROOM;
    }
    return bytes;
  }

  /** What is left of an answer that found no room: many may wait for an event loop. */
  static Answer withoutContent(Answer answer) {
    return new Answer(
        withoutContent(answer.outcome()), answer.charge(), answer.owner(), answer.position());
  }

  private static Outcome withoutContent(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemCreated(StoredItem item) -> new Outcome.ItemCreated(item.withoutBody());
      case Outcome.ItemReplaced(StoredItem item) -> new Outcome.ItemReplaced(item.withoutBody());
      case Outcome.StepsDone(List<Outcome.Step> steps) -> new Outcome.StepsDone(brief(steps));
      case Outcome.ItemRewritten(StoredItem item, boolean created, Body _) ->
          new Outcome.ItemRewritten(item.withoutBody(), created, NOTHING.body());
      // Nothing is shown of what was only read, or answered by a script.
      case Outcome.ScriptDone _ -> new Outcome.ScriptDone(NOTHING.body(), "");
      case Outcome read when isRead(read) -> new Outcome.ItemRead(NOTHING);
      default -> outcome;
    };
  }

  private static List<Outcome.Step> brief(List<Outcome.Step> steps) {
    return steps.stream()
        .map(
            step ->
                new Outcome.Step(withoutContent(step.outcome()), step.charge(), step.position()))
        .toList();
  }

  /** Returns what was drawn for an answer that no client waits for. */
  void giveBack(long drawnBytes) {
    if (drawnBytes > 0) {
      room.giveBack(drawnBytes);
    }
  }

  /**
   * Holds what was drawn until the client has taken the answer. A request may need several answers
   * of the database.
   */
  void hold(long bytes) {
    if (bytes > 0) {
      unsent.cover(bytes);
      heldBytes += bytes;
    }
  }

  /**
   * The answer was handed to the connection: its room is free once the client has taken it. From
   * now on it is the client that is slow, and can be evicted; before, it waits for the server.
   */
  void handedOver() {
    if (heldBytes > 0) {
      LaneRoom.Holding holding = room.hold(heldBytes, slow -> context.close());
      heldBytes = 0;
      // Reported as written when all before it is.
      context.write(Unpooled.EMPTY_BUFFER).addListener(written -> taken(holding));
    }
  }

  private void taken(LaneRoom.Holding holding) {
    room.release(holding);
    room.giveBack(holding.bytes());
    unsent.cover(-holding.bytes());
    unsent.look();
  }

  /** Whether nothing was done but reading, which can be done again. */
  static boolean isRead(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemRead _, Outcome.ItemPage _, Outcome.ChangePage _, Outcome.QueryPage _ ->
          true;
      case Outcome.ResourcePage _, Outcome.RowPage _ -> true;
      case Outcome.ResourceRead _, Outcome.ContainerRead _, Outcome.QueryPlanned _ -> true;
      default -> false;
    };
  }

  private static long bytesOf(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemRead(StoredItem item) -> bytesOf(item);
      case Outcome.ItemCreated(StoredItem item) -> bytesOf(item);
      case Outcome.ItemReplaced(StoredItem item) -> bytesOf(item);
      case Outcome.ItemRewritten rewritten -> rewritten.body().bytes().size();
      case Outcome.ScriptDone done -> done.body().bytes().size();
      case Outcome.StepsDone done -> steps(done.steps());
      case Outcome.ItemPage page -> items(page.items());
      case Outcome.ChangePage page -> changes(page.changes());
      case Outcome.QueryPage page -> rows(page.rows());
      case Outcome.ResourcePage page -> resources(page.resources());
      case Outcome.RowPage page -> bodies(page.rows());
      case Outcome.ResourceRead(Resource resource) -> resource.definition().bytes().size();
      case Outcome.ContainerRead read -> read.resource().definition().bytes().size();
      case Outcome.QueryPlanned(Body plan) -> plan.bytes().size();
      default -> 0;
    };
  }

  private static long bytesOf(@Nullable StoredItem item) {
    return item == null ? 0 : item.body().bytes().size() + StoredItem.SYSTEM_BYTES;
  }

  private static long steps(List<Outcome.Step> steps) {
    long bytes = 0;
    for (int i = 0; i < steps.size(); i++) {
      bytes += bytesOf(steps.get(i).outcome());
    }
    return bytes;
  }

  private static long items(List<StoredItem> items) {
    long bytes = 0;
    for (int i = 0; i < items.size(); i++) {
      bytes += bytesOf(items.get(i));
    }
    return bytes;
  }

  private static long changes(List<Change> changes) {
    long bytes = 0;
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      bytes += bytesOf(change.current()) + bytesOf(change.previous());
    }
    return bytes;
  }

  private static long rows(List<Bytes> rows) {
    long bytes = 0;
    for (int i = 0; i < rows.size(); i++) {
      bytes += rows.get(i).size();
    }
    return bytes;
  }

  private static long resources(List<Resource> resources) {
    long bytes = 0;
    for (int i = 0; i < resources.size(); i++) {
      bytes += resources.get(i).definition().bytes().size();
    }
    return bytes;
  }

  private static long bodies(List<Body> bodies) {
    long bytes = 0;
    for (int i = 0; i < bodies.size(); i++) {
      bytes += bodies.get(i).bytes().size();
    }
    return bytes;
  }
}
