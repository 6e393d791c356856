package io.orrery.model;

import java.util.List;
import java.util.function.BiFunction;

/** Something that happened at an LSN. */
sealed interface Event {
  long lsn();

  /** The highest LSN that any answer had named before it began. */
  long floor();

  /** The moments at one of which it was evaluated. */
  List<Moment> moments();

  /** A request and its answer. */
  record Answered(Request request, Result result, long lsn, long floor, List<Moment> moments)
      implements Event {
    boolean wrote() {
      return Event.wrote(result);
    }
  }

  /** Whether an answer says that something was written; the deletion of a key does not tell. */
  static boolean wrote(Result result) {
    return switch (result) {
      case Result.Written _ -> true;
      case Result.Found _, Result.Refused _, Result.Shown _, Result.Ids _ -> false;
      case Result.Plain plain -> plain == Result.Plain.DELETED;
      case Result.Steps steps ->
          steps.isWhole()
              && steps.steps().stream()
                  .anyMatch(s -> s instanceof Result.Written || s == Result.Plain.DELETED);
      case Result.Ran ran -> ran.wrote();
    };
  }

  /** The steps of a transaction, over the state that it began on. */
  record Began(List<Answered> steps, long lsn, long floor, List<Moment> moments) implements Event {}

  /** The writes of a transaction, with the versions that they have since the commit. */
  record Committed(List<Answered> writes, long lsn, long floor, List<Moment> moments)
      implements Event {}

  /** A look at many items, with what it has to give by the model. */
  record Looked(
      String what,
      Object rows,
      BiFunction<Reference, Moment, Object> expected,
      long lsn,
      long floor,
      List<Moment> moments)
      implements Event {}

  /**
   * A query that may have seen several states of a key.
   *
   * @param floor the earliest state that it can have seen
   * @param lsn the latest one
   */
  record Scanned(Spread spread, String key, long lsn, long floor, List<Moment> moments)
      implements Event {}
}
