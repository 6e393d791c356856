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
 * Draws the bytes of large answers from the memory for answers until the client has taken them.
 * Small ones are bounded by the connection, which takes up no request while its client does not
 * read.
 */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class AnswerRoom {
  static final long NO_ROOM = -1;

  private static final long SMALL_BYTES = 64 << 10;

  private final LaneRoom room;
  private final ChannelHandlerContext context;
  private LaneRoom.@Nullable Holding current;

  AnswerRoom(LaneRoom room, ChannelHandlerContext context) {
    this.room = room;
    this.context = context;
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

  /** Returns what was drawn for an answer that no client waits for. */
  void giveBack(long drawnBytes) {
    if (drawnBytes > 0) {
      room.giveBack(drawnBytes);
    }
  }

  /** Holds what was drawn until the client has taken the answer. */
  void hold(long bytes) {
    if (bytes <= 0) {
      return;
    }
    if (current == null) {
      current = new LaneRoom.Holding(bytes, slow -> context.close());
      room.hold(current);
    } else {
      // A request may need several answers of the database.
      current.grow(current.bytes() + bytes);
    }
  }

  /** The answer was handed to the connection: its room is free once the client has taken it. */
  void handedOver() {
    LaneRoom.Holding holding = current;
    if (holding != null) {
      current = null;
      // Reported as written when all before it is.
      context.write(Unpooled.EMPTY_BUFFER).addListener(written -> taken(holding));
    }
  }

  private void taken(LaneRoom.Holding holding) {
    room.release(holding);
    room.giveBack(holding.bytes());
  }

  /** Whether nothing was done but reading, which can be done again. */
  static boolean isRead(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemRead _, Outcome.ItemPage _, Outcome.ChangePage _, Outcome.QueryPage _ ->
          true;
      case Outcome.ResourcePage _, Outcome.RowPage _ -> true;
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
      default -> 0;
    };
  }

  private static long bytesOf(StoredItem item) {
    return item.body().bytes().size();
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
      StoredItem current = changes.get(i).current();
      bytes += current == null ? 0 : bytesOf(current);
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
