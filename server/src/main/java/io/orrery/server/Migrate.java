package io.orrery.server;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The command {@code migrate}: from a data directory into a table of HBase. */
final class Migrate {
  private Migrate() {}

  static void run(Settings settings, PrintWriter out) {
    String zookeeper = settings.hbase().zookeeper();
    if (zookeeper.isEmpty()) {
      throw new StartRefused(
          "migrate: say where to: --hbase-zookeeper HOST:PORT, and --hbase-table");
    }
    if (!Files.isDirectory(DataDirectory.engine(settings.data()))) {
      throw new StartRefused(
          "data: '" + settings.data() + "' holds no data of the engine rocksdb to copy");
    }
    String place = "HBase's table " + settings.hbase().table() + " at " + zookeeper;
    try (var directory = DataDirectory.open(settings.data());
        Storage from = Engines.rocksdb(settings, directory);
        Storage to = Engines.hbase(settings, "")) {
      copy(from, to, directory.migration(), place, out);
    } catch (StorageFault e) {
      throw new StartRefused("migrate: stopped, run it again to go on: " + e.getMessage(), e);
    }
    out.println(
        "Start the server with: ./orrery serve --engine hbase --hbase-zookeeper "
            + (zookeeper + " --hbase-parent " + settings.hbase().parent())
            + (" --hbase-table " + settings.hbase().table())
            + (" --data " + settings.data()));
    out.flush();
  }

  /**
   * @param note tells the next attempt which state of the source this one copies
   */
  static void copy(Storage from, Storage to, Path note, String place, PrintWriter out) {
    var migration =
        new Migration(
            from,
            to,
            line -> {
              out.println(line);
              out.flush();
            });
    String state = place + ": " + migration.fingerprint() + "\n";
    try {
      boolean continued = Files.exists(note) && Files.readString(note).equals(state);
      String obstacle = migration.obstacle(continued);
      if (obstacle != null) {
        throw new StartRefused(
            "migrate: " + place + " " + obstacle + "; remove the table, or choose another");
      }
      OwnerFile.write(note, state);
      migration.run();
      Files.delete(note);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println("Copied into " + place + ": " + migration.summary());
    out.flush();
  }
}
