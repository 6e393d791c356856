package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.nosql.Authorization;
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
  void aServerInMemorySaysWhyItCannot() {
    String own = KeyRing.freshKey();
    try (Server server = start(Map.of(Setting.ENGINE, "memory", Setting.SECONDARY_KEY, own))) {
      assertEquals(2, rotate(server, "primary", "--key", own));
      assertTrue(err.toString().contains("shows it nowhere"), err::toString);
    }
  }
}
