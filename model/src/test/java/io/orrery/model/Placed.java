package io.orrery.model;

import io.orrery.operation.Answer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An answer and where it came to be. */
record Placed(Result result, String range, long lsn) {
  static Placed of(Result result, Answer.@Nullable Position position) {
    Objects.requireNonNull(position, () -> "no position: " + result);
    return new Placed(result, position.rangeId(), position.lsn());
  }
}
