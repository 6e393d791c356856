package io.orrery.nosql;

/** What a request's authorization allows. */
sealed interface Access {

  /** The right of a key. */
  enum Granted implements Access {
    READ_WRITE,
    READ_ONLY
  }

  /** Nothing. */
  record Denied(NosqlError error) implements Access {}
}
