package io.orrery.http;

/** Learns of every request that was answered; called on an event loop, must not block. */
public interface RequestObserver {
  RequestObserver NONE = (route, status, nanos) -> {};

  /**
   * One request was answered.
   *
   * @param route the route's name in its protocol's table, or {@code None} when none was found
   */
  void answered(String route, int status, long nanos);
}
