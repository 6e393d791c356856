package io.orrery.nosql;

import io.orrery.http.HttpServer;
import io.orrery.http.Listening;
import io.orrery.http.Patience;
import io.orrery.operation.Database;
import java.net.InetSocketAddress;

/** Serves the Cosmos DB REST protocol, with and without TLS, on one port. */
public final class NosqlServer implements AutoCloseable {
  private final HttpServer server;

  private NosqlServer(HttpServer server) {
    this.server = server;
  }

  /** Listens from now on. The database stays the caller's, who closes it after the server. */
  public static NosqlServer start(NosqlConfig config, Database database) {
    return start(config, database, Patience.USUAL);
  }

  static NosqlServer start(NosqlConfig config, Database database, Patience patience) {
    var listening =
        new Listening(
            config.host(), config.port(), config.tls(), config.stopWithin(), config.bounds());
    return new NosqlServer(
        HttpServer.start(listening, new NosqlService(config, database, patience)));
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
