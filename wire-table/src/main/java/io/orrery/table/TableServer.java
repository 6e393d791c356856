package io.orrery.table;

import io.orrery.http.HttpServer;
import io.orrery.http.Listening;
import io.orrery.http.Patience;
import io.orrery.operation.Database;
import java.net.InetSocketAddress;

/** Serves the Azure Table protocol, with and without TLS, on one port. */
public final class TableServer implements AutoCloseable {
  private final HttpServer server;

  private TableServer(HttpServer server) {
    this.server = server;
  }

  /** Listens from now on. The database stays the caller's, who closes it after the server. */
  public static TableServer start(TableConfig config, Database database) {
    var listening =
        new Listening(
            config.host(), config.port(), config.tls(), config.stopWithin(), config.bounds());
    return new TableServer(
        HttpServer.start(listening, new TableService(config, database, Patience.USUAL)));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
