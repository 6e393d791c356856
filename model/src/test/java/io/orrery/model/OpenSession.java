package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A transaction that has begun, with all that it did. */
final class OpenSession {
  private final Driver.Session session;
  private final String key;
  private final long floor;
  private final List<Moment> moments;
  private final List<Event.Answered> steps = new ArrayList<>();
  private volatile boolean isStale;

  OpenSession(Driver.Session session, String key, long floor, List<Moment> moments) {
    this.session = session;
    this.key = key;
    this.floor = floor;
    this.moments = moments;
  }

  String key() {
    return key;
  }

  /** Whether it has to be begun again. */
  boolean isStale() {
    return isStale;
  }

  /** False when it cannot go on. */
  boolean step(Request request) {
    Result result = session.execute(request);
    if (result == null) {
      isStale = true;
      return false;
    }
    steps.add(new Event.Answered(request, result, session.lsn(), floor, moments));
    return true;
  }

  Event began() {
    return new Event.Began(List.copyOf(steps), session.lsn(), floor, moments);
  }

  CompletableFuture<Driver.@Nullable Commit> commit() {
    return session.commit();
  }

  /**
   * The steps that must have the same results again at the commit: writes, and whatever found an
   * item absent or refused to write. Null when it wrote nothing.
   */
  @Nullable Event committed(Driver.@Nullable Commit commit, long begun, List<Moment> at) {
    if (commit == null) {
      return null;
    }
    List<Event.Answered> again = new ArrayList<>();
    for (Event.Answered step : steps) {
      if (isRestedOn(step)) {
        Result result = now(step.result(), commit.versions());
        again.add(new Event.Answered(step.request(), result, commit.lsn(), begun, at));
      }
    }
    boolean wrote = steps.stream().anyMatch(step -> step.wrote());
    return wrote ? new Event.Committed(again, commit.lsn(), begun, at) : null;
  }

  /** Items that were only read may have changed, and those that have the value of a unique key. */
  private static boolean isRestedOn(Event.Answered step) {
    return step.request() instanceof Request.Read
        ? step.result() == Result.Refused.NOT_FOUND
        : step.result() != Result.Refused.UNIQUE_KEY;
  }

  private static Result now(Result result, Map<Version.Stamp, Version> versions) {
    return result instanceof Result.Written(boolean created, Version version)
        ? new Result.Written(created, Objects.requireNonNull(versions.get(version.stamp())))
        : result;
  }

  void close() {
    session.close();
  }
}
