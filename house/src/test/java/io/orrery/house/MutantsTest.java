package io.orrery.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The mutants that show what the model finds stay alive: they apply to the product as it is. */
class MutantsTest {
  private static final Path FOLDER = Repository.ROOT.resolve("model/mutants");

  private static List<Path> patches() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".patch")).sorted().toList();
    }
  }

  @Test
  void everyMutantSaysWhatItDoesToTheProduct() throws IOException {
    List<Path> patches = patches();
    assertTrue(patches.size() >= 29, () -> "too few mutants: " + patches);
    var odd = new ArrayList<String>();
    for (Path patch : patches) {
      List<String> lines = Files.readAllLines(patch);
      boolean changesProduct =
          lines.stream()
              .filter(line -> line.startsWith("+++ "))
              .allMatch(line -> line.matches("\\+\\+\\+ b/[a-z-]+/src/main/java/.*\\.java"));
      if (!lines.getFirst().matches("# [A-Z].*\\.") || !changesProduct) {
        odd.add(Repository.nameOf(patch));
      }
    }
    assertEquals(List.of(), odd, "a sentence in the first line, and changes of src/main only");
  }

  @Test
  void everyMutantApplies() throws IOException, InterruptedException {
    assumeTrue(hasGit(), "There is no git: whether mutants apply is not known");
    var command = new ArrayList<>(List.of("git", "apply", "--check"));
    var failed = new ArrayList<String>();
    for (Path patch : patches()) {
      command.add(patch.toString());
      String said = output(command);
      command.removeLast();
      if (!said.isEmpty()) {
        failed.add(said);
      }
    }
    assertEquals(List.of(), failed, "bring the change of the mutant into the code of today");
  }

  private static boolean hasGit() throws InterruptedException {
    try {
      return output(List.of("git", "--version")).startsWith("git version");
    } catch (IOException e) {
      return false;
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(Repository.ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
