package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The examples of a page, run as they are printed there, but for the port. */
final class Examples {
  private static final Path NODE_FOLDER = OrreryProcess.ROOT.resolve("compat/node");
  private static final Pattern KEY = Pattern.compile("(?m)^KEY=(\\S+)$");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  private Examples() {}

  /**
   * A block of code.
   *
   * @param said the lines that the page says it prints, from the block of text behind it
   */
  record Example(String language, String code, List<String> said) {}

  /** All that can be run on a page, in its order. */
  static List<Example> of(String page) throws IOException {
    var examples = new ArrayList<Example>();
    Matcher block = BLOCK.matcher(text(page));
    while (block.find()) {
      String language = block.group(1);
      if (List.of("js", "java", "bash").contains(language)) {
        examples.add(new Example(language, block.group(2), List.of()));
      } else if (language.equals("text") && !examples.isEmpty()) {
        Example before = examples.removeLast();
        examples.add(
            new Example(before.language(), before.code(), block.group(2).lines().toList()));
      }
    }
    return examples;
  }

  private static String text(String page) throws IOException {
    return Files.readString(OrreryProcess.ROOT.resolve(page));
  }

  /** Runs it against the shared server and returns what it said. */
  static String run(Example example) throws Exception {
    String code =
        example
            .code()
            .replace("localhost:8081", "localhost:" + SharedServer.server().port())
            .replace(
                "localhost:8902",
                "localhost:" + SharedServer.server().tableEndpoint("http").getPort());
    return switch (example.language()) {
      case "js" -> runNode(code);
      case "java" -> runJava(code);
      default -> run(List.of("bash", "-c", code), NODE_FOLDER);
    };
  }

  private static String runNode(String code) throws Exception {
    Node.installClient();
    return run(List.of("node", "-e", code), NODE_FOLDER);
  }

  private static String runJava(String code) throws Exception {
    Path folder = SharedServer.temporaryFolder();
    try {
      Matcher name = CLASS.matcher(code);
      assertTrue(name.find(), code);
      Path program = Files.writeString(folder.resolve(name.group(1) + ".java"), code);
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true");
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.toString()));
      return run(command, folder);
    } finally {
      SharedServer.delete(folder);
    }
  }

  private static String run(List<String> command, Path folder) throws Exception {
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Matcher key = KEY.matcher(text("README.md"));
    assertTrue(key.find(), "The README gives the key");
    builder.environment().put("KEY", key.group(1));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
