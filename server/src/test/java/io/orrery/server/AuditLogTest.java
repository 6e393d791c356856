package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.AuditTrail.Event;
import io.orrery.server.SignedClient.Target;
import io.orrery.value.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who was refused and who changed what can be read afterwards. */
class AuditLogTest {
  @TempDir Path data;

  private Server start(Map<Setting, String> more) {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.DATA, data.toString());
    given.put(Setting.PORT, "0");
    given.put(Setting.TLS, "off");
    given.putAll(more);
    return Server.start(Settings.read(given, Map.of()));
  }

  /** The lines about an event, once the server has stopped. */
  private List<String> lines(Path file, String event) throws Exception {
    return Files.readAllLines(file).stream()
        .filter(line -> line.contains(" event=" + event + " "))
        .toList();
  }

  private static int unsigned(InetSocketAddress address, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void changesThatWereRefusedPushNothingOut() throws Exception {
    Path file = data.resolve("audit.log");
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    try (AuditLog log = AuditLog.in(file, 100_000)) {
      log.changed(new Event("CreateUser", 201, "key", "POST", "/dbs/d/users", "1", address));
      for (int i = 0; i < 5_000; i++) {
        int status = i % 2 == 0 ? 403 : 400;
        log.changed(new Event("Flood", status, "token:x", "POST", "/dbs", "2", address));
      }
      log.changed(new Event("DeleteUser", 204, "key", "DELETE", "/dbs/d/users/u", "3", address));
    }
    assertEquals(1, lines(file, "CreateUser").size());
    assertEquals(RefusalLimit.PER_ADDRESS, lines(file, "Flood").size());
    assertEquals(1, lines(file, "DeleteUser").size());
  }

  @Test
  void aLineThatWasCutOffDoesNotSpoilTheNext() throws Exception {
    Path file = data.resolve("audit.log");
    try (var audit = new AuditFile(file, 100_000)) {
      audit.write("first");
      Thread.currentThread().interrupt(); // ends a write, and closes the file
      assertThrows(IOException.class, () -> audit.write("second"));
      assertTrue(Thread.interrupted());
      Files.writeString(file, "sec", StandardOpenOption.APPEND);
      audit.write("third");
    }
    Files.writeString(file, "four", StandardOpenOption.APPEND);
    try (var audit = new AuditFile(file, 100_000)) {
      audit.write("fifth");
    }
    assertEquals(List.of("first", "sec", "third", "four", "fifth"), Files.readAllLines(file));
  }

  private static void createContainerAndPermission(SignedClient client) throws IOException {
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    client.send(Target.feed("POST", "colls", "dbs/d"), definition);
    client.send(Target.feed("POST", "users", "dbs/d"), "{\"id\":\"u\"}");
    String permission = "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}";
    client.send(Target.feed("POST", "permissions", "dbs/d/users/u"), permission);
  }

  @Test
  void changesAndRefusalsAreWritten() throws Exception {
    try (Server server = start(Map.of())) {
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      createContainerAndPermission(client);
      client.send(Target.feed("POST", "docs", "dbs/d/colls/c"), "{\"id\":\"i\",\"pk\":1}");
      client.send(new Target("POST", "", "", "_orrery/keys/secondary/rotate"), "");
      assertEquals(401, unsigned(server.address(), "/dbs/secret?sig=hidden"));
      InetSocketAddress tables = Objects.requireNonNull(server.tableAddress());
      assertEquals(403, unsigned(tables, "/Tables?sv=1&sig=hidden"));
    }
    Path log = data.resolve("audit.log");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
    List<String> databases = lines(log, "CreateDatabase");
    assertEquals(2, databases.size());
    assertTrue(
        databases
            .getFirst()
            .matches(
                "\\S+Z event=CreateDatabase status=201 caller=key method=POST path=/dbs"
                    + " activity=[0-9a-f-]{36} address=127.0.0.1"),
        databases.getFirst());
    assertTrue(databases.get(1).contains("status=409"), databases.get(1));
    for (String event : List.of("CreateContainer", "CreateUser", "CreatePermission", "RotateKey")) {
      assertEquals(1, lines(log, event).size(), event);
    }
    assertEquals(List.of(), lines(log, "CreateItem"));
    List<String> refused = lines(log, "SignIn");
    assertEquals(2, refused.size(), refused.toString());
    assertTrue(refused.getFirst().contains("path=/dbs/secret "), refused.getFirst());
    assertFalse(Files.readString(log).contains("hidden"), "signatures are not written");
  }

  @Test
  void throughputAndDeletionsAreWritten() throws Exception {
    String offer;
    try (Server server = start(Map.of())) {
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      createContainerAndPermission(client);
      String offers = client.send(Target.feed("GET", "offers", ""), "").body();
      Found made = new Found(Json.parse(offers)).all("Offers").getFirst();
      offer = made.text("_rid");
      var target = new Target("PUT", "offers", offer.toLowerCase(Locale.ROOT), "offers/" + offer);
      String more = made.json().replace("\"offerThroughput\":400", "\"offerThroughput\":500");
      assertEquals(200, client.send(target, more).statusCode());
      String tooLittle = more.replace("\"offerThroughput\":500", "\"offerThroughput\":1");
      assertEquals(400, client.send(target, tooLittle).statusCode());
      client.send(Target.one("DELETE", "permissions", "dbs/d/users/u/permissions/p"), "");
      client.send(Target.one("DELETE", "colls", "dbs/d/colls/c"), "");
    }
    Path log = data.resolve("audit.log");
    List<String> throughput = lines(log, "ReplaceOffer");
    assertEquals(2, throughput.size(), throughput.toString());
    String change = " status=200 caller=key method=PUT path=/offers/" + offer + " ";
    assertTrue(throughput.getFirst().contains(change), throughput.getFirst());
    assertTrue(throughput.get(1).contains(" status=400 "), throughput.get(1));
    String permission = lines(log, "DeletePermission").getFirst();
    assertTrue(permission.contains(" status=204 "), permission);
    assertTrue(permission.contains(" path=/dbs/d/users/u/permissions/p "), permission);
    String container = lines(log, "DeleteContainer").getFirst();
    assertTrue(container.contains(" status=204 "), container);
    assertTrue(container.contains(" path=/dbs/d/colls/c "), container);
  }

  @Test
  void aRefusalIsNotTakenForTheChangeBeforeIt() throws Exception {
    try (Server server = start(Map.of());
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      String head =
          new String(
              new SignedClient("").head(Target.feed("POST", "dbs", "")), StandardCharsets.US_ASCII);
      String create = head + "Content-Length: 10\r\n\r\n{\"id\":\"d\"}";
      String foreign = "GET /dbs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write((create + foreign).getBytes(StandardCharsets.US_ASCII));
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(answers.contains("HTTP/1.1 201") && answers.contains("HTTP/1.1 403"), answers);
    }
    Path log = data.resolve("audit.log");
    assertEquals(1, lines(log, "CreateDatabase").size());
    assertEquals(1, lines(log, "SignIn").size());
  }

  @Test
  void itCanGoElsewhereOrNowhere() throws Exception {
    Path elsewhere = data.resolve("elsewhere.log");
    try (Server server = start(Map.of(Setting.AUDIT_LOG, elsewhere.toString()))) {
      assertEquals(401, unsigned(server.address(), "/dbs"));
    }
    assertEquals(1, lines(elsewhere, "SignIn").size());
    try (Server server = start(Map.of(Setting.AUDIT_LOG, "off"))) {
      assertEquals(401, unsigned(server.address(), "/dbs"));
    }
    assertFalse(Files.exists(data.resolve("audit.log")));
    var bad = Map.of(Setting.AUDIT_LOG, data.resolve("none/audit.log").toString());
    assertThrows(StartRefused.class, () -> start(bad));
  }

  @Test
  void refusalsOfOneAddressDoNotFillIt() {
    var nanos = new AtomicLong();
    var limit = new RefusalLimit(nanos::get);
    int written = 0;
    for (int i = 0; i < 1_000; i++) {
      written += limit.decide("10.0.0.1").isWritten() ? 1 : 0;
    }
    assertEquals(RefusalLimit.PER_ADDRESS, written);
    assertEquals(new RefusalLimit.Decision(true, 0), limit.decide("10.0.0.2"));
    for (int i = 0; i < 100_000; i++) {
      written += limit.decide("10.1." + i).isWritten() ? 1 : 0;
    }
    assertEquals(RefusalLimit.IN_ALL - 1, written);
    nanos.addAndGet(61_000_000_000L);
    assertEquals(new RefusalLimit.Decision(true, 0), limit.decide("10.0.0.9"));
  }

  @Test
  void itGoesOnAfterAFailure() throws Exception {
    Path file = data.resolve("small.log");
    Path inTheWay = data.resolve("small.log.4");
    Files.createDirectories(inTheWay.resolve("inside"));
    Files.writeString(data.resolve("small.log.3"), "older line\n");
    try (var log = new AuditFile(file, 20)) {
      log.write("first line");
      assertThrows(IOException.class, () -> log.write("second line"));
      Files.delete(inTheWay.resolve("inside"));
      log.write("third line");
    }
    assertEquals("third line\n", Files.readString(file));
    assertEquals("first line\n", Files.readString(data.resolve("small.log.1")));
    assertEquals("older line\n", Files.readString(inTheWay));
  }

  @Test
  void olderFilesAreKeptUpToABound() throws Exception {
    Path file = data.resolve("small.log");
    var event =
        new Event(
            "DeleteDatabase",
            204,
            "key",
            "DELETE",
            "/dbs/a\nb",
            "activity",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    try (AuditLog log = AuditLog.in(file, 300)) {
      for (int i = 0; i < 100; i++) {
        log.changed(event);
      }
    }
    try (var files = Files.list(data)) {
      assertEquals(1 + AuditFile.OLDER_KEPT, files.count());
    }
    assertTrue(Files.size(file) <= 300);
    assertTrue(Files.readString(file).contains("path=/dbs/a?b "), Files.readString(file));
  }
}
