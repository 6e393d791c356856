package io.orrery.table;

import io.netty.handler.ssl.SslContext;
import io.orrery.http.AccountAccess;
import io.orrery.http.Bounds;
import io.orrery.http.RequestObserver;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Limits;
import io.orrery.operation.Memory;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server must know before it listens.
 *
 * @param port 0 takes any free one
 * @param tls as for the other protocols; null serves plain HTTP only
 * @param account the name that clients sign with and that may begin the paths
 * @param stopWithin how long requests in flight may take once the server stops
 */
public record TableConfig(
    String host,
    int port,
    @Nullable Supplier<SslContext> tls,
    String account,
    AccountAccess access,
    Limits limits,
    RequestObserver observer,
    Duration stopWithin,
    Bounds bounds) {

  /** The name of the account where none is configured: what clients take for a local server. */
  public static final String ACCOUNT = "localhost";

  /** A configuration for plain HTTP, to be varied. */
  public static TableConfig plain(String host, int port, AccountKeys keys) {
    return new TableConfig(
        host,
        port,
        null,
        ACCOUNT,
        AccountAccess.of(keys),
        Limits.SEEDS,
        RequestObserver.NONE,
        Duration.ofSeconds(10),
        Bounds.of(Memory.process()));
  }
}
