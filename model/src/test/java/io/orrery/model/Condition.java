package io.orrery.model;

import org.jspecify.annotations.Nullable;

/** What a request asks of the version that is there. */
sealed interface Condition {
  enum Any implements Condition {
    ANY,
    EXISTS,
    ABSENT
  }

  record Matches(Version.Stamp stamp) implements Condition {}

  record Differs(Version.Stamp stamp) implements Condition {}

  /** Whether a version that is there may be changed. */
  default boolean holds(Version present) {
    return switch (this) {
      case Any any -> any != Any.ABSENT;
      case Matches(Version.Stamp stamp) -> stamp.isLike(present.stamp());
      case Differs(Version.Stamp stamp) -> !stamp.isLike(present.stamp());
    };
  }

  /** Whether nothing can meet it where no item is. */
  default boolean wantsPresence() {
    return this == Any.EXISTS || this instanceof Matches;
  }

  /** What a read of a version answers. */
  default Result read(@Nullable Version present) {
    if (present == null) {
      return Result.Refused.NOT_FOUND;
    }
    return switch (this) {
      case Any any -> any == Any.ABSENT ? Result.Plain.UNCHANGED : new Result.Found(present);
      case Matches m when !m.holds(present) -> Result.Refused.PRECONDITION;
      case Differs d when !d.holds(present) -> Result.Plain.UNCHANGED;
      default -> new Result.Found(present);
    };
  }
}
