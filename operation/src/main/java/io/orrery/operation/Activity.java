package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/**
 * The activity id of the request that the calling thread works for. Work that is answered later on
 * another thread carries the id in its reply instead.
 */
public final class Activity {
  private static final ScopedValue<String> ID = ScopedValue.newInstance();

  private Activity() {}

  /**
   * Runs work for a request.
   *
   * @param id null where the request has none
   */
  public static void run(@Nullable String id, Runnable work) {
    if (id == null) {
      work.run();
    } else {
      ScopedValue.where(ID, id).run(work);
    }
  }

  /** The activity id of the request; null where there is none. */
  public static @Nullable String current() {
    return ID.isBound() ? ID.get() : null;
  }
}
