package io.orrery.server;

import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.Verification;
import io.orrery.routing.catalog.CatalogFault;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.Locale;

/** The command {@code verify}: whether all that a stopped server has stored fits together. */
final class Verify {
  private final PrintWriter out;
  private int partitions;
  private long items;
  private int broken;

  private Verify(PrintWriter out) {
    this.out = out;
  }

  /** Tells whether all is as it should be. */
  static boolean run(Settings settings, PrintWriter out) {
    if (!Files.isDirectory(DataDirectory.engine(settings.data()))) {
      throw new StartRefused(
          "data: '" + settings.data() + "' holds no data of the engine rocksdb to verify");
    }
    try (var directory = DataDirectory.open(settings.data());
        Storage storage = Engines.rocksdb(settings, directory)) {
      return new Verify(out).run(storage, DatabaseSettings.of(settings.limits()));
    } catch (StorageFault | CatalogFault e) {
      throw new StartRefused("data: '" + settings.data() + "': " + e.getMessage(), e);
    }
  }

  private boolean run(Storage storage, DatabaseSettings settings) {
    int unused = Verification.run(storage, settings, this::print);
    if (unused > 0) {
      line(unused + " partitions belong to no container; the next start removes them");
    }
    line(
        String.format(
            Locale.ROOT,
            "Verified %,d partitions with %,d items: %s",
            partitions,
            items,
            broken == 0 ? "all entries fit the items" : broken + " partitions are damaged"));
    return broken == 0;
  }

  private void print(Verification.Checked checked) {
    partitions++;
    items += checked.report().items();
    String place = checked.database() + "/" + checked.container() + " range " + checked.range();
    if (checked.report().faults().isEmpty()) {
      line(String.format(Locale.ROOT, "%s: %,d items, sound", place, checked.report().items()));
    } else {
      broken++;
      checked.report().faults().forEach(fault -> line(place + ": " + fault));
    }
  }

  private void line(String text) {
    out.println(text);
    out.flush();
  }
}
