package io.orrery.storage;

import java.util.concurrent.ThreadLocalRandom;

/** Tells one attempt to commit from every other, so that an unknown outcome can be decided. */
public record CommitId(long high, long low) {

  public static CommitId random() {
    var random = ThreadLocalRandom.current();
    return new CommitId(random.nextLong(), random.nextLong());
  }
}
