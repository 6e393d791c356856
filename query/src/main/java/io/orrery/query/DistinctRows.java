package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.value.Value;
import java.util.HashSet;
import java.util.Set;

/** The rows of a nested SELECT DISTINCT that were seen, drawn from the memory of the query. */
final class DistinctRows {
  private static final long ENTRY_BYTES = 64;

  private final ThreadWork work;
  private final Set<ValueKey> seen = new HashSet<>();
  private long heldBytes;

  DistinctRows(ThreadWork work) {
    this.work = work;
  }

  /** Whether the row is new. */
  boolean add(Value row) {
    work.pass(row);
    if (!seen.add(new ValueKey(row, work))) {
      return false;
    }
    long bytes = ENTRY_BYTES + Sizes.memoryBytes(row);
    heldBytes += bytes;
    work.hold(bytes);
    return true;
  }

  void release() {
    work.release(heldBytes);
  }
}
