package io.orrery.compat;

import com.azure.cosmos.CosmosException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A request that failed.
 *
 * @param kind in a word, as it is counted
 * @param status 0 when there was no answer
 * @param substatus 0 when there was none
 * @param text what was said
 * @param waited until its client knew
 */
record FailedRequest(String kind, int status, int substatus, String text, Duration waited) {
  /** What a server does not say before a request has waited for 30 s; clocks differ a little. */
  private static final Set<Integer> WAITED_FOR = Set.of(408, 410, 503);

  private static final Duration WAITED_LEAST = Duration.ofSeconds(28);

  /** Says the Java SDK by itself, with 503, when its connection breaks; no server does. */
  private static final int SDK_CONNECTION_BROKE = 10_001;

  /**
   * Says the Java SDK by itself, with 408, when it gives up: a plan of a query and what it knows of
   * containers after 0.5, 5 and 10 s, all else after more than any server lets it wait.
   */
  private static final int SDK_GAVE_UP = 10_002;

  /** The one thing that waiting does not mend: the node that knew the answer is dead. */
  private static final String ANSWER_LOST = "This was done, but what it answered was lost";

  /**
   * Waiting for the storage is none of a script's time, but waiting for the processor is: on a
   * machine with ten times as much to do as it can, its five seconds may be over though all is
   * well.
   */
  private static final String OWN_TIME_OVER = "The script ran longer than";

  /** One that the Java SDK told of. */
  static FailedRequest of(Throwable failure, Duration waited) {
    String text = String.valueOf(failure.getMessage());
    return failure instanceof CosmosException told
        ? new FailedRequest(
            "java " + told.getStatusCode() + "/" + told.getSubStatusCode(),
            told.getStatusCode(),
            told.getSubStatusCode(),
            text,
            waited)
        : new FailedRequest("java " + failure.getClass().getSimpleName(), 0, 0, text, waited);
  }

  /** One that failed in several ranges: what servers said of it counts more than the rest. */
  static FailedRequest of(List<Throwable> parts, Duration waited) {
    List<FailedRequest> all = parts.stream().map(part -> of(part, waited)).toList();
    return all.stream()
        .filter(part -> !part.isUnanswered() && !part.isGivenUp())
        .findFirst()
        .orElse(all.getFirst());
  }

  static FailedRequest of(RestAnswer answer, Duration waited) {
    String substatus = answer.header("x-ms-substatus");
    return new FailedRequest(
        Integer.toString(answer.status()),
        answer.status(),
        substatus.isEmpty() ? 0 : Integer.parseInt(substatus),
        answer.text(),
        waited);
  }

  /** One made by hand that never got an answer. */
  static FailedRequest unanswered(Throwable broken, Duration waited) {
    for (Throwable cause = broken; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTimeoutException) {
        return new FailedRequest("no answer", 0, 0, cause.toString(), waited);
      }
      if (cause instanceof ConnectException) {
        return new FailedRequest("no connection", 0, 0, cause.toString(), waited);
      }
    }
    return new FailedRequest("broken connection", 0, 0, broken.toString(), waited);
  }

  private boolean isUnanswered() {
    return status == 0 || (status == 503 && substatus == SDK_CONNECTION_BROKE);
  }

  private boolean isGivenUp() {
    return status == 408 && substatus == SDK_GAVE_UP;
  }

  /**
   * Whether the request should have waited rather than fail.
   *
   * @param nodeHarmed whether a node was killed, ended or paused: only then connections may break,
   *     and answers be lost
   */
  boolean isEarly(boolean nodeHarmed) {
    if (waited.compareTo(WAITED_LEAST) >= 0 || isGivenUp() || text.contains(OWN_TIME_OVER)) {
      return false;
    }
    if (isUnanswered() || text.contains(ANSWER_LOST)) {
      return !nodeHarmed;
    }
    return WAITED_FOR.contains(status);
  }
}
