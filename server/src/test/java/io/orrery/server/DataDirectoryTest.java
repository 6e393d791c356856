package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path folder;

  @Test
  void missingFoldersAreMadeForTheOwnerOnly() throws IOException {
    Path data = folder.resolve("a/b/data");
    try (var directory = DataDirectory.open(data)) {
      assertEquals("rwx------", permissions(data));
      assertEquals("rwx------", permissions(directory.tls()));
    }
  }

  @Test
  void foldersThatAreThereAreTakenFromOthers() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path engine = Files.createDirectory(data.resolve("rocksdb"));
    for (Path open : List.of(data, engine)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    try (var directory = DataDirectory.open(data)) {
      assertEquals("rwx------", permissions(data));
      assertEquals("rwx------", permissions(directory.engine()));
    }
  }

  @Test
  void secondServerIsRefusedWithTheCure() {
    try (var first = DataDirectory.open(folder)) {
      assertNotNull(first);
      var refused = assertThrows(StartRefused.class, () -> DataDirectory.open(folder));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("in use by process " + ProcessHandle.current().pid()), message);
      assertTrue(message.contains("--data"), message);
    }
  }

  @Test
  void anotherProcessIsRefusedToo() throws Exception {
    try (var first = DataDirectory.open(folder)) {
      assertNotNull(first);
      assertEquals(2, opener());
    }
    assertEquals(0, opener());
  }

  @Test
  void aFileInTheWayIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThrows(StartRefused.class, () -> DataDirectory.open(file));
  }

  private int opener() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    return new ProcessBuilder(java, "-cp", classes, Opener.class.getName(), folder.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  /** A process that opens the directory and says by its exit code how that went. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) {
      try (var directory = DataDirectory.open(Path.of(arguments[0]))) {
        System.exit(directory.keys().toString().isEmpty() ? 1 : 0);
      } catch (StartRefused refused) {
        System.exit(2);
      }
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
