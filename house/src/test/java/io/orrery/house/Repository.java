package io.orrery.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files of the working copy that people wrote: no build output, no fetched modules. */
final class Repository {
  static final Path ROOT = Path.of(System.getProperty("orrery.root", "..")).toAbsolutePath();

  private static final Set<String> NOT_OURS =
      Set.of(".git", ".idea", "target", "node_modules", "__pycache__");

  private Repository() {}

  static List<Path> files() throws IOException {
    var found = new ArrayList<Path>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean ours =
                !NOT_OURS.contains(String.valueOf(folder.getFileName()))
                    && !folder.equals(ROOT.resolve("data"));
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            // A worktree has a file of the name .git that points at the repository.
            if (attributes.isRegularFile() && !file.equals(ROOT.resolve(".git"))) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }

  static List<Path> javaSources() throws IOException {
    return files().stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /** The content, or nothing where it is not text. */
  static Optional<String> textOf(Path file) {
    try {
      String text = Files.readString(file);
      return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String nameOf(Path file) {
    return ROOT.relativize(file).toString();
  }
}
