package io.orrery.http;

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where and how a server listens.
 *
 * @param port 0 takes any free one
 * @param tls asked for by each TLS client, so that a renewed certificate is shown; the first time,
 *     which may take long, off the event loops. Null serves plain HTTP only
 * @param stopWithin how long requests in flight may take once the server stops
 */
public record Listening(
    String host,
    int port,
    @Nullable Supplier<SslContext> tls,
    Duration stopWithin,
    Bounds bounds) {}
