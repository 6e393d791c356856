package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Operation;
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

  /** Smaller ones are not worth the counting. */
  private static final int SMALL_BYTES = 16 << 10;

  private final Memory memory;

  ParsingRoom(Memory memory) {
    this.memory = memory;
  }

  /** Reserves what parsing the operation takes; returns the bytes, or {@link #NONE}. */
  long take(Operation.ItemOperation operation) {
    long weight = Math.min(weigh(operation), memory.boundBytes(Lane.QUERY) / 2);
    return weight == 0 || memory.tryTake(Lane.QUERY, weight) ? weight : NONE;
  }

  void giveBack(long weight) {
    if (weight > 0) {
      memory.giveBack(Lane.QUERY, weight);
    }
  }

  private static long weigh(Operation.ItemOperation operation) {
    return switch (operation) {
      case Operation.CreateItem(var scope, var body) -> weigh(body);
      case Operation.UpsertItem(var scope, var body, var precondition) -> weigh(body);
      case Operation.ReplaceItem(var scope, var ref, var body, var precondition) -> weigh(body);
      case Operation.MergeItem(var scope, var body, var precondition, var rule) -> weigh(body);
      case Operation.ExecuteBatch(var scope, var steps) -> {
        long sum = 0;
        for (Operation.ItemOperation step : steps) {
          sum += weigh(step);
        }
        yield sum;
      }
      case Operation.ReadItem _, Operation.PatchItem _ -> 0;
      case Operation.DeleteItem _, Operation.DeleteLogicalPartition _ -> 0;
    };
  }

  private static long weigh(Body body) {
    return body.bytes().size() < SMALL_BYTES ? 0 : Weight.ofText(body.bytes().array());
  }
}
