package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.AccountKeys;
import io.orrery.server.SignedClient.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A server that everybody has the key of is for this machine's own clients only. */
class WellKnownKeyTest {
  private static final String OWN = Base64.getEncoder().encodeToString(new byte[64]);
  private static final Target DATABASES = Target.feed("GET", "dbs", "");

  private static Settings settings(Map<Setting, String> more) {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.ENGINE, "memory");
    given.put(Setting.TLS, "off");
    given.put(Setting.PORT, "0");
    given.putAll(more);
    return Settings.read(given, Map.of());
  }

  private static Server start(Map<Setting, String> more) {
    return Server.start(settings(more));
  }

  /** The status of a request that is signed with the emulator's key. */
  private static int status(Server server, String host, String... headers) throws IOException {
    String head = new String(new SignedClient("").head(DATABASES), StandardCharsets.US_ASCII);
    return Integer.parseInt(
        answer(server.address(), head.replace("host: localhost", "host: " + host), headers)
            .substring(9, 12));
  }

  private static String answer(InetSocketAddress address, String head, String... headers)
      throws IOException {
    String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
      String all = head + more + "Connection: close\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(all.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aConfiguredKeyClosesTheDoorToTheWellKnownOne() throws IOException {
    for (Setting key :
        List.of(
            Setting.PRIMARY_KEY,
            Setting.SECONDARY_KEY,
            Setting.PRIMARY_READONLY_KEY,
            Setting.SECONDARY_READONLY_KEY)) {
      try (Server server = start(Map.of(key, OWN))) {
        assertEquals(401, status(server, "localhost"), key.key());
      }
    }
    var environment = Map.of("ORRERY_KEY", OWN, "ORRERY_MEMORY", "true", "ORRERY_PORT", "0");
    try (Server server = Server.start(Settings.read(Map.of(), environment))) {
      assertEquals(401, status(server, "localhost"));
    }
  }

  @Test
  void itCanBeSwitchedOffAndOnByName() throws IOException {
    try (Server server = start(Map.of(Setting.WELL_KNOWN_KEY, "off"))) {
      assertEquals(401, status(server, "localhost"));
    }
    try (Server server =
        start(
            Map.of(
                Setting.WELL_KNOWN_KEY, "everywhere",
                Setting.HOST, "0.0.0.0",
                Setting.PRIMARY_KEY, OWN))) {
      assertEquals(200, status(server, "db.example.org"));
    }
    assertThrows(StartRefused.class, () -> settings(Map.of(Setting.WELL_KNOWN_KEY, "on")));
  }

  @Test
  void foreignHostsAreRefusedWhileItWorks() throws IOException {
    try (Server server = start(Map.of(Setting.HOST_NAME, "db.test,::5"))) {
      String port = ":" + server.address().getPort();
      for (String own :
          List.of("localhost", "LocalHost", "127.0.0.1", "[::1]", "db.test", "[::5]")) {
        assertEquals(200, status(server, own), own);
        assertEquals(200, status(server, own + port), own);
      }
      for (String foreign :
          List.of(
              "evil.example",
              "evil.example" + port,
              "localhost.evil.example",
              "localhost:80@evil.example",
              "localhost:",
              "127.0.0.1.evil.example",
              "10.0.0.7" + port)) {
        assertEquals(403, status(server, foreign), foreign);
      }
      String page = answer(server.address(), "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n");
      assertTrue(page.startsWith("HTTP/1.1 403"), page);
      assertTrue(page.contains("--host-name"), page);
    }
  }

  @Test
  void foreignOriginsAreRefusedWhileItWorks() throws IOException {
    try (Server server = start(Map.of())) {
      String port = ":" + server.address().getPort();
      for (String own : List.of("http://localhost" + port, "https://127.0.0.1" + port)) {
        assertEquals(200, status(server, "localhost" + port, "Origin: " + own), own);
      }
      assertEquals(200, status(server, "localhost:9", "Origin: http://localhost:9"));
      for (String foreign :
          List.of(
              "null",
              "http://evil.example",
              "http://localhost:1",
              "http://evil.example" + port,
              "file://localhost" + port,
              "http://localhost" + port + ".evil.example")) {
        assertEquals(403, status(server, "localhost" + port, "Origin: " + foreign), foreign);
      }
      String own = "Origin: http://localhost" + port;
      String foreign = "Origin: http://evil.example";
      assertEquals(400, status(server, "localhost" + port, own + "\r\n" + foreign));
    }
  }

  @Test
  void foreignTargetsAreRefusedWhileItWorks() throws IOException {
    try (Server server = start(Map.of())) {
      InetSocketAddress address = server.address();
      String rest = "/metrics HTTP/1.1\r\nHost: localhost\r\n";
      assertFalse(answer(address, "GET http://localhost" + rest).startsWith("HTTP/1.1 403"));
      assertTrue(answer(address, "GET " + rest).startsWith("HTTP/1.1 200"));
      for (String foreign : List.of("http://evil.example", "HTTPS://evil.example:80", "a://")) {
        String reply = answer(address, "GET " + foreign + rest);
        assertTrue(reply.startsWith("HTTP/1.1 403"), foreign + ": " + reply);
      }
    }
  }

  @Test
  void nobodysNamesMatterOnceAKeyIsNeeded() throws IOException {
    try (Server server = start(Map.of(Setting.PRIMARY_KEY, AccountKeys.WELL_KNOWN))) {
      // Given as a key of the account, it is as well known as before.
      assertEquals(403, status(server, "evil.example"));
    }
    try (Server server = start(Map.of(Setting.PRIMARY_KEY, OWN))) {
      assertEquals(401, status(server, "evil.example", "Origin: http://evil.example"));
    }
  }

  @Test
  void tablesAreHeldToTheSame() throws IOException {
    try (Server server = start(Map.of())) {
      InetSocketAddress tables = Objects.requireNonNull(server.tableAddress());
      String head = "GET /Tables HTTP/1.1\r\nHost: ";
      assertTrue(answer(tables, head + "evil.example\r\n").startsWith("HTTP/1.1 403"));
      String page = "Origin: https://evil.example";
      assertTrue(answer(tables, head + "localhost\r\n", page).startsWith("HTTP/1.1 403"));
      assertTrue(answer(tables, head + "localhost\r\n").startsWith("HTTP/1.1 401"));
    }
  }

  @Test
  void theConnectionStringHoldsTheKeyThatWorks() {
    assertTrue(announced(Map.of()).contains("AccountKey=" + AccountKeys.WELL_KNOWN));
    assertTrue(
        announced(Map.of(Setting.WELL_KNOWN_KEY, "everywhere", Setting.PRIMARY_KEY, OWN))
            .contains("AccountKey=" + AccountKeys.WELL_KNOWN));
    String closed = announced(Map.of(Setting.PRIMARY_KEY, OWN));
    assertFalse(closed.contains(AccountKeys.WELL_KNOWN), closed);
    assertFalse(closed.contains("well-known"), closed);
  }

  private static String announced(Map<Setting, String> more) {
    var bytes = new ByteArrayOutputStream();
    Settings settings = settings(more);
    try (Server server = Server.start(settings);
        var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      Serve.announce(settings, server, out);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
