package io.orrery.server;

import io.orrery.http.AccountAccess;
import io.orrery.http.AuditTrail;
import io.orrery.http.Bounds;
import io.orrery.http.CannotListen;
import io.orrery.http.OpenConnections;
import io.orrery.http.OwnHosts;
import io.orrery.http.WireMemory;
import io.orrery.nosql.NosqlConfig;
import io.orrery.nosql.NosqlServer;
import io.orrery.nosql.Page;
import io.orrery.nosql.PublicPage;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Bytes;
import io.orrery.operation.Database;
import io.orrery.operation.Memory;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.routing.QuerySettings;
import io.orrery.routing.VirtualClock;
import io.orrery.script.ScriptSettings;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import io.orrery.table.TableConfig;
import io.orrery.table.TableServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A running server: storage, the database over it, and the protocols in front. */
final class Server implements AutoCloseable {
  /** What was opened, the last first: the order of closing. */
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private @Nullable NosqlServer nosql;
  private @Nullable TableServer table;
  private boolean wellKnown;

  /** Null for a server that has its storage to itself. */
  private @Nullable Membership membership;

  private Server() {}

  /** Opens everything; when something cannot be, what was opened before it is closed again. */
  static Server start(Settings settings) {
    var server = new Server();
    try {
      server.open(settings);
      return server;
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  InetSocketAddress address() {
    if (nosql == null) {
      throw new IllegalStateException("The server does not listen");
    }
    return nosql.address();
  }

  /** Where tables are served; null when they are not. */
  @Nullable InetSocketAddress tableAddress() {
    return table == null ? null : table.address();
  }

  private void open(Settings settings) {
    DataDirectory directory =
        settings.inMemory() ? null : opening(DataDirectory.open(settings.data()));
    var live = new LiveKeys(settings, directory);
    AccountKeys keys = live.get();
    wellKnown = isWellKnown(keys);
    var access = new AccountAccess(live, hosts(settings, keys), audit(settings, directory));
    Storage storage = opening(Engines.open(settings, directory, keys));
    OrreryDatabase database = database(settings, directory, storage, live);
    var requests = new RequestMeter();
    var health = new Health(storage, membership, database::isServing);
    Tls tls = tls(settings, directory);
    Bounds bounds = bounds(settings.clients());
    Metrics metrics =
        opening(new Metrics(requests, health, database::figures, bounds.connections()));
    var config =
        new NosqlConfig(
            settings.host(),
            settings.port(),
            tls == null ? null : tls::context,
            access,
            settings.limits(),
            settings.consistency(),
            pages(settings, health, metrics, tls),
            requests::answered,
            Duration.ofSeconds(settings.drainSeconds()),
            bounds);
    nosql = opening(listen(config, database));
    if (settings.tablePort() != Settings.OFF) {
      table =
          opening(
              listenForTables(
                  new TableConfig(
                      settings.host(),
                      settings.tablePort(),
                      config.tls(),
                      settings.tableAccount(),
                      access,
                      settings.limits(),
                      requests::answered,
                      config.stopWithin(),
                      bounds),
                  database));
    }
  }

  private OrreryDatabase database(
      Settings settings, @Nullable DataDirectory directory, Storage storage, LiveKeys keys) {
    DatabaseSettings its = database(settings, directory).rotatingKeysBy(keys);
    if (settings.engine() != Settings.Engine.HBASE) {
      return opening(OrreryDatabase.open(storage, its));
    }
    NodeDatabase node =
        NodeDatabase.open(
            settings, storage, its, port -> Common.joining(settings, keys.all(), port));
    membership = node.membership();
    return opening(node).database();
  }

  private <T extends AutoCloseable> T opening(T part) {
    opened.push(part);
    return part;
  }

  private AuditTrail audit(Settings settings, @Nullable DataDirectory directory) {
    String place = settings.access().auditLog();
    if (place.equals("off")) {
      return AuditTrail.NONE;
    }
    if (place.isEmpty() && directory == null) {
      return opening(AuditLog.to(System.out));
    }
    Path file = place.isEmpty() && directory != null ? directory.audit() : Path.of(place);
    return opening(AuditLog.in(file, AuditFile.BYTES_MAX));
  }

  /** While a key is in use that everybody knows, only requests under own names are served. */
  private static OwnHosts hosts(Settings settings, AccountKeys keys) {
    if (!isWellKnown(keys)
        || settings.access().wellKnownKey() == Settings.WellKnownKey.EVERYWHERE) {
      return OwnHosts.ANY;
    }
    var names = new ArrayList<>(settings.access().hostNames());
    names.add(settings.host());
    return OwnHosts.loopbackAnd(names);
  }

  private static boolean isWellKnown(AccountKeys keys) {
    return keys.readWrite().contains(AccountKeys.WELL_KNOWN)
        || keys.readOnly().contains(AccountKeys.WELL_KNOWN);
  }

  /** Whether the emulator's key opens it. */
  boolean isWellKnown() {
    return wellKnown;
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new StartRefused("host: '" + host + "' is no address of this machine", e);
    }
  }

  private static DatabaseSettings database(Settings settings, @Nullable DataDirectory directory) {
    DatabaseSettings metered =
        DatabaseSettings.of(settings.limits())
            .with(scripts(settings.scripts()))
            .watchedBy(CrashPoint.given());
    DatabaseSettings held =
        switch (settings.enforcement()) {
          case ENFORCE -> metered.withThrottling();
          case METER -> metered;
        };
    DatabaseSettings usual =
        switch (settings.clock()) {
          case SYSTEM -> held;
          case VIRTUAL -> held.withClock(new VirtualClock());
        };
    return usual.with(queries(settings, usual.queries(), directory));
  }

  private static QuerySettings queries(
      Settings settings, QuerySettings usual, @Nullable DataDirectory directory) {
    QuerySettings placed = usual.in(directory == null ? usual.directory() : directory.spill());
    OptionalLong bytes = settings.querySpillBytes();
    return bytes.isEmpty() ? placed : placed.spilling(bytes.getAsLong());
  }

  private static ScriptSettings scripts(Settings.Scripts given) {
    ScriptSettings scripts = ScriptSettings.DEFAULT.with(given.processes(), given.memoryBytes());
    // The launcher knows where training has left it.
    String cache = System.getProperty("orrery.script.cache");
    return cache == null ? scripts : scripts.with(Path.of(cache));
  }

  private static @Nullable Tls tls(Settings settings, @Nullable DataDirectory directory) {
    Path folder = directory == null ? null : directory.tls();
    return switch (settings.tls()) {
      case TlsChoice.Off off -> null;
      case TlsChoice.Files(Path certificate, Path key) -> Tls.ofFiles(certificate, key);
      case TlsChoice.OwnAuthority own ->
          Tls.ownAuthority(
              settings.host(), settings.access().hostNames(), folder, InstantSource.system());
    };
  }

  private static Bounds bounds(ClientSettings clients) {
    return new Bounds(
        new WireMemory(Memory.process()),
        new OpenConnections(
            OpenFiles.connections(clients.connections()), clients.connectionsPerAddress()),
        clients.plainHttp());
  }

  private static Map<String, PublicPage> pages(
      Settings settings, Health health, Metrics metrics, @Nullable Tls tls) {
    var ready = new BriefCache<>(() -> ready(health.trouble()));
    var named = new BriefCache<>(() -> metrics(metrics.text(true)));
    var nameless = new BriefCache<>(() -> metrics(metrics.text(false)));
    var pages = new HashMap<String, PublicPage>();
    pages.put("/ready", signed -> ready.get());
    pages.put(
        "/metrics",
        signed -> signed || settings.clients().metricsNames() ? named.get() : nameless.get());
    if (tls != null) {
      pages.put(
          "/_explorer/emulator.pem", signed -> page("application/x-pem-file", tls.authorityPem()));
    }
    return pages;
  }

  private static Page metrics(String text) {
    return page("text/plain; version=0.0.4; charset=utf-8", text);
  }

  private static Page ready(@Nullable String trouble) {
    return trouble == null
        ? page("text/plain; charset=utf-8", "ready\n")
        : new Page(503, "text/plain; charset=utf-8", Bytes.utf8("not ready: " + trouble + "\n"));
  }

  private static Page page(String contentType, String text) {
    return new Page(200, contentType, Bytes.utf8(text));
  }

  private static NosqlServer listen(NosqlConfig config, Database database) {
    try {
      return NosqlServer.start(config, database);
    } catch (CannotListen e) {
      throw new StartRefused(
          "port: cannot listen on "
              + config.host()
              + ":"
              + config.port()
              + " ("
              + e.getMessage()
              + "); choose another with --port, 0 takes any",
          e);
    }
  }

  private static TableServer listenForTables(TableConfig config, Database database) {
    try {
      return TableServer.start(config, database);
    } catch (CannotListen e) {
      throw new StartRefused(
          "tablePort: cannot listen on "
              + (config.host() + ":" + config.port() + " (" + e.getMessage() + ")")
              + "; choose another with --table-port, 0 takes any, off serves no tables",
          e);
    }
  }

  /** Stops listening, finishes what is in flight, then closes the database and its storage. */
  @Override
  public void close() {
    RuntimeException first = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = new IllegalStateException("A part did not close", e);
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
