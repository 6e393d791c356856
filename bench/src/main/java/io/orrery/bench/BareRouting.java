package io.orrery.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;

/**
 * The least that a split must do: every entry that a stopped server has is read in order and put
 * into one of two sorted files, with the options the server left there.
 */
final class BareRouting {
  private BareRouting() {}

  /** What was done. */
  record Result(long entries, long bytes, double seconds) {}

  static Result run(Path data, Path folder) {
    var families = new ArrayList<ColumnFamilyDescriptor>();
    var handles = new ArrayList<ColumnFamilyHandle>();
    try (var config = new ConfigOptions().setEnv(Env.getDefault());
        var options = new DBOptions()) {
      OptionsUtil.loadLatestOptions(config, data.toString(), options, families);
      try (var db = RocksDB.open(options, data.toString(), families, handles)) {
        Result result = route(db, families.getFirst(), folder);
        handles.forEach(ColumnFamilyHandle::close);
        return result;
      }
    } catch (RocksDBException e) {
      throw new BenchFault("The entries cannot be routed: " + e.getMessage(), e);
    }
  }

  private static Result route(RocksDB db, ColumnFamilyDescriptor family, Path folder)
      throws RocksDBException {
    long start = System.nanoTime();
    long entries = 0;
    long bytes = 0;
    try (var options = new Options(new DBOptions(), family.getOptions());
        var environment = new EnvOptions();
        var left = new SstFileWriter(environment, options);
        var right = new SstFileWriter(environment, options);
        var read = new ReadOptions().setReadaheadSize(2 << 20);
        RocksIterator entry = db.newIterator(read)) {
      left.open(folder.resolve("left.sst").toString());
      right.open(folder.resolve("right.sst").toString());
      for (entry.seekToFirst(); entry.isValid(); entry.next()) {
        byte[] key = entry.key();
        byte[] value = entry.value();
        // Alternating is as cheap as any way to decide, and gives each the half.
        (entries++ % 2 == 0 ? left : right).put(key, value);
        bytes += key.length + value.length;
      }
      entry.status();
      left.finish();
      right.finish();
    }
    return new Result(entries, bytes, (System.nanoTime() - start) / 1e9);
  }
}
