package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.nosql.Authorization;
import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys change while the server runs, one at a time, and the others go on working. */
class RotateKeyTest {
  @TempDir Path data;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Server start(Map<Setting, String> more) {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.DATA, data.toString());
    given.put(Setting.PORT, "0");
    given.put(Setting.TLS, "off");
    given.putAll(more);
    return Server.start(Settings.read(given, Map.of()));
  }

  private int rotate(Server server, String name, String... more) {
    var words =
        new java.util.ArrayList<>(
            List.of("keys", "rotate", name, "--data", data.toString(), "--port"));
    words.add(Integer.toString(server.address().getPort()));
    words.addAll(List.of(more));
    return Commands.with(Map.of())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words.toArray(String[]::new));
  }

  private Map<KeyName, String> kept() {
    return KeyRing.keptIn(DataDirectory.keys(data));
  }

  private static int status(Server server, String key) throws Exception {
    var signed = Authorization.ofAccount(key, "GET", Instant.now());
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.address().getPort() + "/"))
            .header("x-ms-date", signed.date())
            .header("authorization", signed.token())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void aRotatedKeyWorksAtOnceAndTheOthersStay() throws Exception {
    try (Server server = start(Map.of())) {
      for (KeyName name : KeyName.values()) {
        Map<KeyName, String> before = kept();
        assertEquals(0, rotate(server, name.label()), err::toString);
        Map<KeyName, String> after = kept();
        assertNotEquals(before.get(name), after.get(name));
        assertEquals(401, status(server, Objects.requireNonNull(before.get(name))));
        for (KeyName other : KeyName.values()) {
          assertEquals(200, status(server, Objects.requireNonNull(after.get(other))));
          assertTrue(other == name || after.get(other).equals(before.get(other)));
        }
        assertFalse(out.toString().contains(after.get(name)), "the key is not sent around");
      }
      var permissions = Files.getPosixFilePermissions(DataDirectory.keys(data));
      assertEquals("rw-------", PosixFilePermissions.toString(permissions));
    }
    Map<KeyName, String> last = kept();
    try (Server server = start(Map.of())) {
      assertEquals(200, status(server, Objects.requireNonNull(last.get(KeyName.PRIMARY))));
    }
  }

  @Test
  void theSecretIsRotatedToo() {
    try (Server server = start(Map.of())) {
      assertEquals(0, rotate(server, "secret"), err::toString);
      assertTrue(out.toString().contains("next rotation"), out::toString);
    }
  }

  @Test
  void configuredAndUnknownKeysAreRefusedWithTheCure() {
    String own = KeyRing.freshKey();
    try (Server server = start(Map.of(Setting.PRIMARY_KEY, own))) {
      assertEquals(2, rotate(server, "primary", "--key", own));
      assertTrue(err.toString().contains("is configured"), err::toString);
      assertTrue(err.toString().contains("--key"), err::toString);
      assertEquals(2, rotate(server, "tertiary", "--key", own));
      assertTrue(err.toString().contains("secondaryReadonly"), err::toString);
      assertEquals(0, rotate(server, "secondary", "--key", own), err::toString);
    }
  }

  @Test
  void aKeyInTheFileOfSettingsIsTakenFromThere() throws Exception {
    String primary = KeyRing.freshKey();
    String secondary = KeyRing.freshKey();
    Path file = settingsFile(primary, secondary);
    String config = "--config=" + file;
    try (Server server = start(Map.of(Setting.CONFIG, file.toString()))) {
      assertEquals(2, rotate(server, "secondary", config));
      assertTrue(err.toString().contains("write a new one there"), err::toString);

      String newSecondary = KeyRing.freshKey();
      settingsFile(KeyRing.freshKey(), newSecondary);
      assertEquals(0, rotate(server, "secondary", "--key=" + primary, config), err::toString);
      assertEquals(401, status(server, secondary));
      assertEquals(200, status(server, newSecondary));
      assertEquals(200, status(server, primary), "one at a time, though both are new in the file");

      String newPrimary = KeyRing.freshKey();
      settingsFile(newPrimary, newSecondary);
      assertEquals(0, rotate(server, "primary", config), err::toString);
      assertEquals(401, status(server, primary));
      assertEquals(200, status(server, newPrimary));
      assertEquals(200, status(server, newSecondary));

      assertEquals(0, rotate(server, "primaryReadonly", config), err::toString);
      String readOnly = Objects.requireNonNull(kept().get(KeyName.PRIMARY_READONLY));
      assertEquals(200, status(server, readOnly));
      assertEquals(200, status(server, newPrimary), "keys of the file stay");
    }
  }

  private Path settingsFile(String primary, String secondary) throws IOException {
    String text = "keys:\n  primary: " + primary + "\n  secondary: " + secondary + "\n";
    return Files.writeString(data.resolve("orrery.yaml"), text);
  }

  @Test
  void aFileThatTheServerWouldNotStartWithChangesNothing() throws Exception {
    String primary = KeyRing.freshKey();
    String secondary = KeyRing.freshKey();
    Path file = settingsFile(primary, secondary);
    try (Server server = start(Map.of(Setting.CONFIG, file.toString()))) {
      String readOnly = Objects.requireNonNull(kept().get(KeyName.PRIMARY_READONLY));
      for (String damaged : List.of("c2hvcnQ=", "\"" + KeyRing.freshKey(), readOnly)) {
        settingsFile(primary, damaged);
        assertEquals(2, rotate(server, "secondary", "--key=" + primary));
        assertFalse(err.toString().contains(damaged), "the file is not shown");
      }
      assertTrue(err.toString().contains("orrery keys --config " + file), err::toString);
      assertTrue(err.toString().contains("one key both writes and only reads"), err::toString);
      settingsFile(primary, AccountKeys.WELL_KNOWN);
      assertEquals(2, rotate(server, "secondary", "--key=" + primary));
      assertTrue(err.toString().contains("everybody knows"), err::toString);
      Files.delete(file);
      assertEquals(2, rotate(server, "secondary", "--key=" + primary));
      assertEquals(200, status(server, primary));
      assertEquals(200, status(server, secondary));
    }
  }

  /** The others would refuse the clients of the node that has the new one. */
  @Test
  void aNodeAmongOthersKeepsTheKeysOfItsFile() throws Exception {
    String primary = KeyRing.freshKey();
    Path file = settingsFile(primary, KeyRing.freshKey());
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.CONFIG, file.toString());
    given.put(Setting.ENGINE, "hbase");
    given.put(Setting.HBASE_ZOOKEEPER, "127.0.0.1:1");
    var keys = new LiveKeys(Settings.read(given, Map.of()), null);
    settingsFile(KeyRing.freshKey(), KeyRing.freshKey());
    assertTrue(String.valueOf(keys.rotate("primary")).contains("stop all of them"));
    assertTrue(keys.get().readWrite().contains(primary));
  }

  @Test
  void aServerInMemorySaysWhyItCannot() {
    String own = KeyRing.freshKey();
    try (Server server = start(Map.of(Setting.ENGINE, "memory", Setting.SECONDARY_KEY, own))) {
      assertEquals(2, rotate(server, "primary", "--key", own));
      assertTrue(err.toString().contains("shows it nowhere"), err::toString);
    }
  }
}
