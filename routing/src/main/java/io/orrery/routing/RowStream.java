package io.orrery.routing;

import io.orrery.partition.PartialRow;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that come in their final order and can be left and taken up again anywhere. */
interface RowStream {
  /** The next row, not taken yet; null when there is none or the time is over. */
  @Nullable PartialRow peek(RowMerge.Room room);

  void take();

  /** Whether there is nothing left. */
  boolean isExhausted();

  /** Where to go on, as part of a continuation. */
  List<Value> position();
}
