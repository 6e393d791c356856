package io.orrery.model;

import java.util.List;

/** What a request was answered. */
sealed interface Result {
  /** A version was written. */
  record Written(boolean created, Version version) implements Result {}

  record Found(Version version) implements Result {}

  enum Plain implements Result {
    DELETED,
    /** A read whose client has the present version. */
    UNCHANGED,
    /** All items of a key are gone, if there were any. */
    KEY_DELETED
  }

  /** Of a batch. */
  record Steps(List<Result> steps) implements Result {
    public Steps {
      steps = List.copyOf(steps);
    }

    boolean isWhole() {
      return steps.stream().noneMatch(step -> step instanceof Refused);
    }
  }

  /** Nothing was done. */
  enum Refused implements Result {
    NOT_FOUND,
    CONFLICT,
    UNIQUE_KEY,
    PRECONDITION,
    CONDITION,
    DEPENDENCY,
    BAD_REQUEST,
    /** Others kept writing what it rests on. */
    CONTENDED,
    UNAVAILABLE
  }
}
