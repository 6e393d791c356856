package io.orrery.model;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Something that happened at an LSN. */
sealed interface Event {
  long lsn();

  /** The highest LSN that any answer had named before it began. */
  long floor();

  /** The time at which it was evaluated. */
  long seconds();

  /** A request and its answer. */
  record Answered(Request request, Result result, long lsn, long floor, long seconds)
      implements Event {
    /** Null where the answer does not tell. */
    @Nullable Boolean wrote() {
      return switch (result) {
        case Result.Written _ -> true;
        case Result.Found _, Result.Refused _ -> false;
        case Result.Plain plain ->
            switch (plain) {
              case DELETED -> true;
              case UNCHANGED -> false;
              case KEY_DELETED -> null;
            };
        case Result.Steps steps ->
            steps.isWhole()
                && steps.steps().stream()
                    .anyMatch(s -> s instanceof Result.Written || s == Result.Plain.DELETED);
      };
    }
  }

  /** The steps of a transaction, over the state that it began on. */
  record Began(List<Answered> steps, long lsn, long floor, long seconds) implements Event {}

  /** The writes of a transaction, with the versions that they have since the commit. */
  record Committed(List<Answered> writes, long lsn, long floor, long seconds) implements Event {}

  /** A look at many items, with what it has to give by the model. */
  record Looked(
      String what,
      Object rows,
      Function<Reference, Object> expected,
      long lsn,
      long floor,
      long seconds)
      implements Event {}

  /**
   * A query on an engine whose reads do not repeat.
   *
   * @param floor the earliest state that it can have seen
   * @param lsn the latest one
   */
  record Scanned(Look look, String key, Set<String> rows, long lsn, long floor, long seconds)
      implements Event {}

  /** How long items live from here on; happens while nothing else does. */
  record TimeToLive(@Nullable Integer timeToLive, long lsn, long floor, long seconds)
      implements Event {}
}
