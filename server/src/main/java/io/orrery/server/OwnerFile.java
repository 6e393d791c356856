package io.orrery.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files and folders that only the owner of the process can open. */
final class OwnerFile {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerFile.class);
  private static final String FOLDER = "rwx------";

  private OwnerFile() {}

  /** Writes the whole file or leaves the old one: it is synced under another name first. */
  static void write(Path file, String text) {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(draft);
      var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (var channel = FileChannel.open(draft, options, only(draft, "rw-------"))) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncFolder(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Opens a file to be written to at its end, made if it is missing. */
  static FileChannel append(Path file) throws IOException {
    var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return FileChannel.open(file, options, only(file, "rw-------"));
  }

  /** A new name is durable only once the folder is. */
  private static void syncFolder(@Nullable Path folder) throws IOException {
    if (folder == null || !hasOwners(folder)) {
      return;
    }
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Makes the folder, or takes the rights of others away from one that is there. */
  static void makeFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      tighten(folder);
    } else {
      Path parent = folder.toAbsolutePath().getParent();
      makeParents(parent);
      Files.createDirectory(folder, only(folder, FOLDER));
      syncFolder(parent);
    }
  }

  private static void makeParents(@Nullable Path folder) throws IOException {
    if (folder != null && !Files.isDirectory(folder)) {
      makeParents(folder.getParent());
      Files.createDirectory(folder);
      syncFolder(folder.getParent());
    }
  }

  /** What is in the folder may be as readable as it likes, once only the owner can go there. */
  private static void tighten(Path folder) throws IOException {
    Set<PosixFilePermission> owner = PosixFilePermissions.fromString(FOLDER);
    if (!hasOwners(folder) || owner.containsAll(Files.getPosixFilePermissions(folder))) {
      return;
    }
    try {
      Files.setPosixFilePermissions(folder, owner);
      LOG.info("took the rights of others away from folder={}", folder);
    } catch (IOException notOurs) {
      LOG.warn(
          "others can read folder={} and it belongs to another user; run: chmod 700 on it",
          folder,
          notOurs);
    }
  }

  /** Nothing on file systems without owners, where the folder's own rights must do. */
  private static FileAttribute<?>[] only(Path path, String permissions) {
    return hasOwners(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasOwners(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
