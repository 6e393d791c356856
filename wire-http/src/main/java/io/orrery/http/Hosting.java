package io.orrery.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the connections of one port share.
 *
 * @param workers for requests that would hold an event loop
 * @param usedRoutes the routes that were asked for
 * @param stopping set once the server stops: every connection ends with its next answer
 */
record Hosting<E>(
    Protocol<E> protocol,
    Bounds bounds,
    TlsContext tls,
    Executor workers,
    Set<String> usedRoutes,
    AtomicBoolean stopping) {

  private static final int SMALL_BODY_BYTES = 16 << 10;

  Hosting(Protocol<E> protocol, Bounds bounds, TlsContext tls, Executor workers) {
    this(protocol, bounds, tls, workers, ConcurrentHashMap.newKeySet(), new AtomicBoolean());
  }

  /**
   * Whether a request would hold an event loop for longer than it may: by a body that takes time to
   * parse, or as the first of its route, which loads classes and links them.
   */
  boolean isForWorkers(int bodyBytes, String route) {
    return bodyBytes > SMALL_BODY_BYTES || (!usedRoutes.contains(route) && usedRoutes.add(route));
  }
}
