package io.orrery.storage;

import org.jspecify.annotations.Nullable;

/** How a commit ended. */
public sealed interface CommitResult {

  /** Durable and visible. */
  record Committed() implements CommitResult {}

  /** The head had moved; nothing was written. */
  record Refused(@Nullable Head actual) implements CommitResult {}
}
