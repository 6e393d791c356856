package io.orrery.partition;

import io.orrery.operation.Memory;
import io.orrery.operation.Memory.Lane;
import io.orrery.operation.Refusal;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.value.Weight;

/**
 * The memory of one transaction: that of the items it parses while it changes them, and until its
 * end that of what it has written. Belongs to the transaction's thread.
 */
final class TransactionMemory implements AutoCloseable {
  static final Refusal FULL =
      new Refusal.Unavailable(
          "Queries and transactions fill the memory for them, nothing was done. Try again later.");

  /** Of an entry of the batch beside its bytes. */
  private static final long ENTRY_BYTES = 160;

  /** Items that no number of transactions can fill the memory with are not weighed. */
  private static final int LIGHT_BYTES = 16 << 10;

  private final Memory memory;
  private long parsed;
  private long held;

  TransactionMemory(Memory memory) {
    this.memory = memory;
  }

  /** What a stored item takes when it is parsed. */
  long parsedBytes(ItemRecord record) {
    // Not of the whole record: a number before the body may look like a quote.
    return !record.isWhole() || record.bodyBytes() < LIGHT_BYTES
        ? 0
        : Weight.ofText(record.item().body().bytes().array());
  }

  /** Draws what a change needs while it is made; never so much that it finds no room at all. */
  boolean begin(long bytes) {
    long weight = Math.min(bytes, memory.boundBytes(Lane.QUERY) / 2);
    if (weight > 0 && !memory.tryTake(Lane.QUERY, weight)) {
      return false;
    }
    parsed = weight;
    return true;
  }

  void end() {
    memory.giveBack(Lane.QUERY, parsed);
    parsed = 0;
  }

  /** Whether what was written until now has found room. */
  boolean holds(long bytes, int entries) {
    long weight = bytes + ENTRY_BYTES * entries;
    if (weight < LIGHT_BYTES) {
      return true;
    }
    if (!memory.tryTake(Lane.QUERY, weight - held)) {
      return false;
    }
    held = weight;
    return true;
  }

  @Override
  public void close() {
    memory.giveBack(Lane.QUERY, held);
    held = 0;
  }
}
