package io.orrery.partition;

import io.orrery.storage.Head;
import java.util.concurrent.ThreadLocalRandom;

/** The head that a transaction writes on until it commits: its LSN is nobody else's. */
final class ProvisionalHead {
  /** Above every LSN there can be, and within the part of one that an etag shows. */
  private static final long LSN = 1L << 47;

  private ProvisionalHead() {}

  static Head of(Head head) {
    return new Head(
        head.version(),
        LSN | ThreadLocalRandom.current().nextLong(LSN - 1),
        head.epoch(),
        head.state(),
        head.commitTicks(),
        head.nextDocument(),
        head.schema(),
        head.commitId());
  }
}
