package io.orrery.nosql;

import io.orrery.operation.Grant;

/** What a request's authorization allows. */
sealed interface Access {

  /** The right of a key. */
  enum Granted implements Access {
    READ_WRITE,
    READ_ONLY
  }

  /** The right of a resource token; how far it reaches, the database decides per operation. */
  record Token(Grant grant) implements Access {}

  /** Nothing. */
  record Denied(NosqlError error) implements Access {}
}
