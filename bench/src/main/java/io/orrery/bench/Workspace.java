package io.orrery.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The folder and the processes of one benchmark; all gone at its end, also after Ctrl-C. */
final class Workspace implements AutoCloseable {
  private final Path folder;
  private final List<Child> children = new CopyOnWriteArrayList<>();
  private final Thread hook = new Thread(this::clean, "clean-up");

  private Workspace(Path folder) {
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The folder lies on the disk of the repository, because syncing to memory costs nothing. */
  static Workspace open(@Nullable Path parent) throws IOException {
    Path place = parent == null ? root().resolve("bench/target") : parent;
    Files.createDirectories(place);
    return new Workspace(Files.createTempDirectory(place.toAbsolutePath(), "run-"));
  }

  /** The folder of the launcher. */
  static Path root() {
    return Path.of(System.getProperty("orrery.root", ".")).toAbsolutePath().normalize();
  }

  Path folder(String name) {
    return folder.resolve(name);
  }

  /** All that lies in a folder. */
  static long sizeBytes(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  Child start(Child.Command command) throws InterruptedException {
    var child = Child.start(command, folder.resolve(command.name() + ".log"));
    children.add(child);
    child.awaitStarted();
    return child;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    clean();
  }

  private void clean() {
    children.forEach(Child::kill);
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException fault)
                throws IOException {
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      System.err.println("bench: " + folder + " could not be removed: " + e);
    }
  }
}
