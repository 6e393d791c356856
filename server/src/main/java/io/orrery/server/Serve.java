package io.orrery.server;

import io.orrery.operation.AccountKeys;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The command {@code serve}: runs until the process is told to end. */
final class Serve {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

  private Serve() {}

  static void run(Settings settings, PrintStream out) {
    Logging.level(settings.log());
    Thread.setDefaultUncaughtExceptionHandler(new UncaughtFaults());
    Server server = Server.start(settings);
    var ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(
                    () -> {
                      stop(server);
                      ended.countDown();
                    }));
    announce(settings, server, out);
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last line tells scripts and tests that requests are answered from now on. */
  static void announce(Settings settings, Server server, PrintStream out) {
    if (settings.inMemory()) {
      out.println("Data is kept in memory and forgotten at the end");
    } else {
      out.println("Data is kept in " + place(settings));
      out.println(
          KeyRing.followPrimary(settings)
              ? "Account keys that are not given follow from the primary one"
              : "Account keys are shown by: orrery keys --data " + settings.data());
    }
    if (server.isWellKnown()) {
      out.println(
          settings.access().wellKnownKey() == Settings.WellKnownKey.EVERYWHERE
              ? "The emulator's well-known key works for everybody who reaches this server"
              : "The emulator's well-known key works on this machine until a key is given");
    }
    InetSocketAddress address = server.address();
    InetSocketAddress table = server.tableAddress();
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    if (table != null) {
      out.println("Tables: " + connectionString(settings, server, host, table.getPort()));
    }
    out.println(
        "Started nosql="
            + (host + ":" + address.getPort())
            + (table == null ? "" : " table=" + host + ":" + table.getPort()));
    out.flush();
  }

  private static String place(Settings settings) {
    Settings.Hbase hbase = settings.hbase();
    return settings.engine() == Settings.Engine.HBASE
        ? "HBase's table " + hbase.table() + " at " + hbase.zookeeper()
        : settings.data().toString();
  }

  /** What clients of tables are given; the key is shown only where everybody knows it. */
  private static String connectionString(Settings settings, Server server, String host, int port) {
    return "DefaultEndpointsProtocol=http;AccountName="
        + (settings.tableAccount() + ";AccountKey=")
        + (server.isWellKnown() ? AccountKeys.WELL_KNOWN : "<an account key>")
        + (";TableEndpoint=http://" + host + ":" + port + "/;");
  }

  private static void stop(Server server) {
    try {
      server.close();
      LOG.info("Stopped");
    } catch (RuntimeException e) {
      LOG.error("Stopped, but not cleanly", e);
    }
  }
}
