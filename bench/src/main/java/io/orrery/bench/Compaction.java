package io.orrery.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Brings a stopped server's data into its final order, with the options the server left there. */
final class Compaction {
  private Compaction() {}

  static void run(Path folder) {
    var families = new ArrayList<ColumnFamilyDescriptor>();
    var handles = new ArrayList<ColumnFamilyHandle>();
    try (var config = new ConfigOptions().setEnv(Env.getDefault());
        var options = new DBOptions()) {
      OptionsUtil.loadLatestOptions(config, folder.toString(), options, families);
      try (var db = RocksDB.open(options, folder.toString(), families, handles);
          var all =
              new CompactRangeOptions()
                  .setBottommostLevelCompaction(
                      CompactRangeOptions.BottommostLevelCompaction.kForce)) {
        for (ColumnFamilyHandle family : handles) {
          db.compactRange(family, null, null, all);
        }
        handles.forEach(ColumnFamilyHandle::close);
      }
    } catch (RocksDBException e) {
      throw new BenchFault("The data cannot be compacted: " + e.getMessage(), e);
    }
  }
}
