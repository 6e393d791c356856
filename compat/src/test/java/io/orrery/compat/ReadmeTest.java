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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of the README, run as they are printed there, but for the port. */
@ExtendWith(QuietServer.class)
class ReadmeTest {
  private static final Path NODE_FOLDER = OrreryProcess.ROOT.resolve("compat/node");
  private static final Pattern KEY = Pattern.compile("(?m)^KEY=(\\S+)$");

  @Test
  void javaExampleRuns() throws Exception {
    Path folder = SharedServer.temporaryFolder();
    try {
      Path program = Files.writeString(folder.resolve("FirstItem.java"), example("java"));
      var command = new ArrayList<String>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true");
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.toString()));
      String said = run(command, folder);
      for (String member : List.of("id=2", "customer=Smith", "total=7", "_etag=", "_ts=")) {
        assertTrue(said.contains(member), said);
      }
    } finally {
      SharedServer.delete(folder);
    }
  }

  @Test
  void nodeExampleRuns() throws Exception {
    Node.installClient();
    String said = run(List.of("node", "-e", example("js")), NODE_FOLDER);
    for (String member : List.of("id: '1'", "customer: 'Smith'", "total: 12.5", "_etag:")) {
      assertTrue(said.contains(member), said);
    }
  }

  @Test
  void curlExampleRuns() throws Exception {
    String said = run(List.of("bash", "-c", example("bash")), NODE_FOLDER);
    assertTrue(said.contains("{\"id\":\"3\",\"customer\":\"Smith\",\"_rid\":\""), said);
    assertTrue(said.strip().endsWith("}"), said);
  }

  /** The code of the only block in that language. */
  private static String example(String language) throws IOException {
    List<String> blocks =
        Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
            .matcher(readme())
            .results()
            .map(found -> found.group(1))
            .toList();
    assertEquals(1, blocks.size(), language);
    String code = blocks.getFirst();
    assertTrue(code.contains("localhost:8081"), code);
    return code.replace("localhost:8081", "localhost:" + SharedServer.server().port());
  }

  private static String readme() throws IOException {
    return Files.readString(OrreryProcess.ROOT.resolve("README.md"));
  }

  private static String run(List<String> command, Path folder) throws Exception {
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Matcher key = KEY.matcher(readme());
    assertTrue(key.find(), "The README gives the key");
    builder.environment().put("KEY", key.group(1));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
