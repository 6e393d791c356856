package io.orrery.nosql;

import io.orrery.operation.Grant;

/** What a request's authorization allows. */
sealed interface Access {

  /** How the client is named in the audit log. */
  default String caller() {
    return switch (this) {
      case Granted.READ_WRITE -> "key";
      case Granted.READ_ONLY -> "readonly-key";
      case Token(Grant grant) -> "token:" + grant.permissionRid();
      case Denied _ -> "none";
    };
  }

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
