package io.orrery.rocksdb;

import java.io.IOException;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads RocksDB from a copy kept beside the data: unpacking 17 MB from the jar at every start, as
 * RocksDB does by itself, takes a quarter of a second.
 */
final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static boolean loaded;

  private NativeLibrary() {}

  static synchronized void load(Path directory) {
    if (loaded) {
      return;
    }
    try {
      RocksDB.loadLibrary(List.of(unpacked(directory).toAbsolutePath().toString()));
    } catch (IOException | LinkageError e) {
      LOG.info("RocksDB is unpacked to the temporary directory; directory={}", directory, e);
      RocksDB.loadLibrary();
    }
    loaded = true;
  }

  private static Path unpacked(Path directory) throws IOException {
    String name = Environment.getJniLibraryFileName("rocksdb");
    // The name that RocksDB's loader looks for; it differs from the one in its own jar.
    String wanted = Environment.getJniLibraryFileName("rocksdbjni");
    var resource = RocksDB.class.getClassLoader().getResource(name);
    if (resource == null) {
      throw new IOException("Not in the jar: " + name);
    }
    var connection = resource.openConnection();
    // Another release has another size or time; whoever can forge both can also write the data.
    var home =
        directory.resolve(connection.getContentLengthLong() + "-" + connection.getLastModified());
    var file = home.resolve(wanted);
    if (!Files.exists(file)) {
      Files.createDirectories(home);
      unpack(connection, home.resolve(wanted + ".part"), file);
    }
    return home;
  }

  /** Synced before it gets its name: to load one with holes after a power loss ends the process. */
  private static void unpack(URLConnection connection, Path partial, Path file) throws IOException {
    try (var in = connection.getInputStream();
        var out =
            FileChannel.open(
                partial,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      in.transferTo(Channels.newOutputStream(out));
      out.force(true);
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
