package io.orrery.storage;

import org.jspecify.annotations.Nullable;

/** One value, or its absence, and the head of the state it was read from. */
public final class Read {
  private final @Nullable Head head;
  private final byte @Nullable [] value;

  public Read(@Nullable Head head, byte @Nullable [] value) {
    this.head = head;
    this.value = value;
  }

  /** Null when the partition has no head: it is absent or was dropped. */
  public @Nullable Head head() {
    return head;
  }

  public byte @Nullable [] value() {
    return value;
  }
}
