package io.orrery.http;

import java.util.concurrent.Executor;

/**
 * What the connections of one port share.
 *
 * @param workers for requests that would hold an event loop
 */
record Hosting<E>(Protocol<E> protocol, Bounds bounds, TlsContext tls, Executor workers) {}
