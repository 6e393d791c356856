package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server that has made its keys itself, so that they can be rotated while it runs. */
final class RotatedServer implements AutoCloseable {
  private final Path data = SharedServer.temporaryFolder();
  private final OrreryProcess process;

  RotatedServer() {
    process = OrreryProcess.start(List.of("--data", data.toString(), "--well-known-key", "off"));
  }

  OrreryProcess process() {
    return process;
  }

  /** The key of that name as it is now. */
  String key(String name) {
    try {
      return Files.readAllLines(data.resolve("keys.yaml")).stream()
          .filter(line -> line.startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2).strip())
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Signs with the secondary key, which the tests leave alone. */
  Rest rest() {
    return Rest.to(process.endpoint("http"), key("secondary"));
  }

  void rotate(String name) {
    rest().post("/_orrery/keys/" + name + "/rotate", "").send().expect(200);
  }

  String tableEndpoint() {
    return process.tableEndpoint("http").toString();
  }

  @Override
  public void close() {
    List<String> complaints = process.complaints();
    process.close();
    SharedServer.delete(data);
    assertEquals(List.of(), complaints);
  }
}
