package io.orrery.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder that holds everything a server knows, locked for one process. */
final class DataDirectory implements AutoCloseable {
  private final Path folder;
  private final FileChannel lock;

  private DataDirectory(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Makes the folder if it is missing and locks it until closed. */
  static DataDirectory open(Path folder) {
    try {
      OwnerFile.makeFolder(folder);
      return new DataDirectory(folder, locked(folder));
    } catch (IOException e) {
      throw new StartRefused("data: '" + folder + "' cannot be used: " + e, e);
    }
  }

  private static FileChannel locked(Path folder) throws IOException {
    Path file = folder.resolve("lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        byte[] process =
            Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
        channel.truncate(0).write(ByteBuffer.wrap(process));
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(folder, file);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw inUse(folder, file);
  }

  private static StartRefused inUse(Path folder, Path lock) throws IOException {
    return new StartRefused(
        "data: '"
            + folder
            + "' is in use by process "
            + Files.readString(lock).strip()
            + "; stop that server or give another directory with --data");
  }

  static Path engine(Path folder) {
    return folder.resolve("rocksdb");
  }

  /** Folder of the engine, made when asked for: its files hold the catalog's secret. */
  Path engine() {
    return made("rocksdb");
  }

  /** What a migration notes that has not ended. */
  Path migration() {
    return folder.resolve("migration");
  }

  static Path keys(Path folder) {
    return folder.resolve("keys.yaml");
  }

  Path keys() {
    return keys(folder);
  }

  Path audit() {
    return folder.resolve("audit.log");
  }

  /** Folder of the certificates, made when asked for. */
  Path tls() {
    return made("tls");
  }

  /** Folder of what queries cannot hold in memory, made when asked for. */
  Path spill() {
    return made("spill");
  }

  private Path made(String name) {
    try {
      Path made = folder.resolve(name);
      OwnerFile.makeFolder(made);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
