package io.orrery.model;

import org.jspecify.annotations.Nullable;

/** One entry of the history of all versions. */
record Changed(Kind kind, @Nullable Version current, @Nullable Version previous) {
  enum Kind {
    CREATE,
    REPLACE,
    DELETE,
    EXPIRE
  }
}
