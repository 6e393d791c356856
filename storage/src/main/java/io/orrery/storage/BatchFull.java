package io.orrery.storage;

import java.io.Serial;

/** A batch has no room for a change that a batch of its own might take. */
public final class BatchFull extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1;

  public BatchFull(String message) {
    super(message);
  }
}
