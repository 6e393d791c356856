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
 * @param workers for requests that would hold an event loop
 * @param pages for pages about the server, which do not wait for the others
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

  /** Where a request is decided that would hold an event loop for longer than it may, or null. */
  @Nullable Executor elsewhere(int bodyBytes, String route, boolean page) {
    if (page) {
      return pages;
    }
    return isForWorkers(bodyBytes, route) ? workers : null;
  }

  /** By a body that takes time to parse, or as the first of its route, which loads classes. */
  private boolean isForWorkers(int bodyBytes, String route) {
    return LargeBody.isLarge(bodyBytes) || (!usedRoutes.contains(route) && usedRoutes.add(route));
  }
}
