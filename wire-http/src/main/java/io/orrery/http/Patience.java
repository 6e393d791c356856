package io.orrery.http;

import java.time.Duration;

/**
 * How long a connection may take.
 *
 * @param opening for its first byte, and for the TLS handshake
 * @param request to send one request
 * @param reading to take the answers that wait for it
 * @param idle between requests; longer than the clients keep their own
 * @param lingering to close its end once the server has closed the other
 */
public record Patience(
    Duration opening, Duration request, Duration reading, Duration idle, Duration lingering) {
  public static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofSeconds(5));

  /** How often a connection looks at its clock. */
  Duration tick() {
    Duration tenth = request.dividedBy(10);
    return tenth.compareTo(Duration.ofMillis(10)) < 0 ? Duration.ofMillis(10) : tenth;
  }
}
