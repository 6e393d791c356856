package io.orrery.nosql;

import io.netty.handler.ssl.SslContext;
import io.orrery.http.AccountAccess;
import io.orrery.http.Bounds;
import io.orrery.http.RequestObserver;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server must know before it listens.
 *
 * @param port 0 takes any free one
 * @param tls asked for by each TLS client, so that a renewed certificate is shown; the first time,
 *     which may take long, off the event loops. Null serves plain HTTP only
 * @param consistency the account's default level
 * @param publicPages what is served without a signature, by path
 * @param stopWithin how long requests in flight may take once the server stops
 */
public record NosqlConfig(
    String host,
    int port,
    @Nullable Supplier<SslContext> tls,
    AccountAccess access,
    Limits limits,
    ConsistencyLevel consistency,
    Map<String, PublicPage> publicPages,
    RequestObserver observer,
    Duration stopWithin,
    Bounds bounds) {

  public NosqlConfig {
    publicPages = Map.copyOf(publicPages);
  }

  /** A configuration for plain HTTP without public pages, to be varied. */
  public static NosqlConfig plain(String host, int port, AccountKeys keys) {
    return new NosqlConfig(
        host,
        port,
        null,
        AccountAccess.of(keys),
        Limits.SEEDS,
        ConsistencyLevel.SESSION,
        Map.of(),
        RequestObserver.NONE,
        Duration.ofSeconds(10),
        Bounds.of(Memory.process()));
  }
}
