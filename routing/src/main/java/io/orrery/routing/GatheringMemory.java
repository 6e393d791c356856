package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.query.syntax.QueryRefused;

/**
 * The memory that one step of a query gathers rows in, drawn from the query lane piece by piece as
 * it fills. When the lane is empty the step goes to disk earlier instead of being refused. Belongs
 * to one thread at a time.
 */
final class GatheringMemory implements AutoCloseable {
  private static final long PIECE_BYTES = 256 << 10;

  /** Every step may hold this much, whatever others hold. */
  private static final long FREE_BYTES = 64 << 10;

  private final Memory memory;
  private final long mostBytes;
  private long drawnBytes;

  GatheringMemory(Memory memory, long mostBytes) {
    this.memory = memory;
    this.mostBytes = mostBytes;
  }

  /** Whether the step may hold so many bytes; what it may not hold goes to disk. */
  boolean holds(long bytes) {
    if (bytes > mostBytes) {
      return false;
    }
    while (bytes > FREE_BYTES + drawnBytes) {
      if (!memory.tryTake(Memory.Lane.QUERY, PIECE_BYTES)) {
        return false;
      }
      drawnBytes += PIECE_BYTES;
    }
    return true;
  }

  /**
   * Draws memory that the step cannot do without.
   *
   * @throws QueryRefused when that is more than a query may hold, or all queries hold the lane
   */
  void require(long bytes) {
    if (!holds(bytes)) {
      throw bytes > mostBytes
          ? QueryRefused.plain(
              "The query sorts or groups rows that need more than "
                  + (mostBytes >> 20)
                  + " MB of memory at once. Select less in each row.")
          : QueryRefused.busy();
    }
  }

  @Override
  public void close() {
    memory.giveBack(Memory.Lane.QUERY, drawnBytes);
    drawnBytes = 0;
  }
}
