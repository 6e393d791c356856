package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Operation;
import io.orrery.operation.Patch;
import io.orrery.operation.Refusal;
import io.orrery.value.Weight;

/**
 * The memory of items from before their text is parsed until the partition has drawn what it keeps:
 * parsed, an item may take thirty times its text, and as many are parsed at a time as there are
 * processors.
 */
final class ParsingRoom {
  static final long NONE = -1;

  static final Refusal FULL =
      new Refusal.Unavailable(
          "Queries and large items fill the memory for them, nothing was done. Try again later.");

  private final Memory memory;

  ParsingRoom(Memory memory) {
    this.memory = memory;
  }

  /** Reserves what parsing the operation takes; returns the bytes, or {@link #NONE}. */
  long take(Operation.ItemOperation operation) {
    long all = LargeBodies.sum(operation, ParsingRoom::weigh, ParsingRoom::weigh);
    long weight = Math.min(all, memory.boundBytes(Lane.QUERY) / 2);
    return weight == 0 || memory.tryTake(Lane.QUERY, weight) ? weight : NONE;
  }

  void giveBack(long weight) {
    if (weight > 0) {
      memory.giveBack(Lane.QUERY, weight);
    }
  }

  private static long weigh(Body body) {
    return LargeBody.isLarge(body.bytes().size()) ? Weight.ofText(body.bytes().array()) : 0;
  }

  /** Its values are parsed by the writer only, and its names are there already. */
  private static long weigh(Patch patch) {
    long weight = patch.weightBytes();
    return LargeBody.isLarge(weight) ? weight : 0;
  }
}
