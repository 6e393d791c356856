package io.orrery.http;

import io.orrery.operation.LargeBody;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one port share.
 *
 * @param workers for requests that would hold an event loop for too long
 * @param pages for pages about the server, which do not wait for those requests
 * @param usedRoutes the routes that were asked for
 * @param stopping set once the server stops: every connection ends with its next answer
 */
record Hosting<E>(
    Protocol<E> protocol,
    Bounds bounds,
    TlsContext tls,
    Executor workers,
    Executor pages,
    Set<String> usedRoutes,
    AtomicBoolean stopping) {

  Hosting(Protocol<E> protocol, Bounds bounds, TlsContext tls, Executor workers, Executor pages) {
    this(protocol, bounds, tls, workers, pages, ConcurrentHashMap.newKeySet(), new AtomicBoolean());
  }

  /** The threads for a request that would hold an event loop for too long; null for others. */
  @Nullable Executor executorFor(int bodyBytes, String route, boolean page) {
    if (page) {
      return pages;
    }
    return isForWorkers(bodyBytes, route) ? workers : null;
  }

  /** A large body takes time to parse, and the first request of a route loads classes. */
  private boolean isForWorkers(int bodyBytes, String route) {
    return LargeBody.isLarge(bodyBytes) || (!usedRoutes.contains(route) && usedRoutes.add(route));
  }
}
