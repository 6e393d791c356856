package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/** Bytes of another node that are no value of this version, or one that nodes do not send. */
public final class UnreadableMessage extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadableMessage(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
