package io.orrery.model;

import java.util.List;

/** What a request was answered. */
sealed interface Result {
  /** Whether a batch or script was undone after it had begun. */
  default boolean isUndone() {
    return false;
  }

  /** Whether it was refused for a reason of the moment, which says nothing about the items. */
  default boolean isPassing() {
    return false;
  }

  /** A version was written. */
  record Written(boolean created, Version version) implements Result {}

  record Found(Version version) implements Result {}

  /** An item as a script saw it: its version is known only when all is committed. */
  record Shown(Name name, Content content) implements Result {}

  /** The ids that a script found by a query, sorted. */
  record Ids(List<String> ids) implements Result {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

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

    @Override
    public boolean isUndone() {
      return !isWhole();
    }

    /** The condition of a patch has a second by the clock. */
    @Override
    public boolean isPassing() {
      return steps.contains(Refused.UNAVAILABLE);
    }
  }

  /**
   * Of a stored procedure.
   *
   * @param whole whether it came to its end; else nothing of it remains
   * @param writes how each of its writes ended
   * @param reads what it saw afterwards
   */
  record Ran(boolean whole, List<Result> writes, List<Result> reads) implements Result {
    public Ran {
      writes = List.copyOf(writes);
      reads = List.copyOf(reads);
    }

    @Override
    public boolean isUndone() {
      return !whole;
    }

    boolean wrote() {
      return whole && writes.stream().anyMatch(step -> !(step instanceof Refused));
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
    /** A trigger threw. */
    SCRIPT,
    /** Others kept writing what it rests on. */
    CONTENDED,
    UNAVAILABLE;

    @Override
    public boolean isPassing() {
      return this == CONTENDED || this == UNAVAILABLE;
    }
  }
}
