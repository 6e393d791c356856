package io.orrery.nosql;

import io.orrery.http.AccountAccess;
import io.orrery.http.Bounds;
import io.orrery.http.Patience;
import io.orrery.http.RequestObserver;
import io.orrery.memory.MemoryStorage;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Database;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server on a free port over an empty database. */
final class ServerFixture implements AutoCloseable {
  static final String READ_ONLY_KEY = "cmVhZC1vbmx5LWtleQ==";
  static final AccountKeys KEYS =
      new AccountKeys(List.of("cHJpbWFyeQ==", AccountKeys.WELL_KNOWN), List.of(READ_ONLY_KEY));

  private final Database database;
  private final NosqlServer server;

  ServerFixture() {
    this(config(), emptyDatabase(), Patience.USUAL);
  }

  ServerFixture(NosqlConfig config, Database database, Patience patience) {
    this.database = database;
    this.server = NosqlServer.start(config, database, patience);
  }

  static NosqlConfig config() {
    return NosqlConfig.plain("127.0.0.1", 0, KEYS);
  }

  static NosqlConfig config(Bounds bounds) {
    return config(config().publicPages(), bounds);
  }

  static NosqlConfig config(Map<String, PublicPage> pages, Bounds bounds) {
    NosqlConfig plain = config();
    return new NosqlConfig(
        plain.host(),
        plain.port(),
        null,
        plain.access(),
        plain.limits(),
        plain.consistency(),
        pages,
        plain.observer(),
        plain.stopWithin(),
        bounds);
  }

  static NosqlConfig config(AccountAccess access) {
    NosqlConfig plain = config();
    return new NosqlConfig(
        plain.host(),
        plain.port(),
        null,
        access,
        plain.limits(),
        plain.consistency(),
        plain.publicPages(),
        plain.observer(),
        plain.stopWithin(),
        plain.bounds());
  }

  static NosqlConfig config(
      Map<String, PublicPage> pages, RequestObserver observer, Duration stopWithin) {
    NosqlConfig plain = config();
    return new NosqlConfig(
        plain.host(),
        plain.port(),
        null,
        plain.access(),
        plain.limits(),
        plain.consistency(),
        pages,
        observer,
        stopWithin,
        plain.bounds());
  }

  static Database emptyDatabase() {
    return OrreryDatabase.open(new MemoryStorage(), DatabaseSettings.of(Limits.SEEDS));
  }

  WireClient client() {
    return new WireClient(address(), AccountKeys.WELL_KNOWN);
  }

  InetSocketAddress address() {
    return server.address();
  }

  RawClient connect() {
    return new RawClient(address());
  }

  NosqlServer server() {
    return server;
  }

  @Override
  public void close() {
    server.close();
    database.close();
  }
}
