package io.orrery.hbase;

import io.orrery.storage.Head;
import org.jspecify.annotations.Nullable;

/** How a partition stands, as written in its first and its last row. */
sealed interface Mark {

  /** Neither committed nor loaded. */
  record Absent() implements Mark {}

  /** Has entries that nobody may see yet. */
  record Loaded() implements Mark {}

  record Live(Head head) implements Mark {}

  /**
   * Gone for good.
   *
   * @param freed whether its rows are gone too
   */
  record Dropped(boolean freed) implements Mark {}

  /** What readers may know of it. */
  default @Nullable Head head() {
    return this instanceof Live(Head head) ? head : null;
  }

  /** Rises with everything that can happen to a partition. */
  default long version() {
    return switch (this) {
      case Absent() -> -1;
      case Loaded() -> -1;
      case Live(Head head) -> head.version();
      case Dropped dropped -> Long.MAX_VALUE;
    };
  }
}
