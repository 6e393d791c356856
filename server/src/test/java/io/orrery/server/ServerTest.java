package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  @TempDir Path data;

  @Test
  void pagesForOperatorsNeedNoSignature() throws Exception {
    try (Server server = start(Map.of(Setting.ENGINE, "memory"))) {
      assertEquals("ready\n", get(server, "/ready").body());
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
      String metrics = get(server, "/metrics").body();
      assertTrue(metrics.contains("orrery_storage_commits_total"), metrics);
      assertTrue(metrics.contains("status=\"201\""), metrics);
      assertEquals(401, get(server, "/dbs").statusCode());
    }
  }

  @Test
  void metricsNameContainersToThoseWithAKeyOnly() throws Exception {
    try (Server server = start(Map.of(Setting.ENGINE, "memory"))) {
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"secretdb\"}");
      String container = "{\"id\":\"secretcoll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      client.send(Target.feed("POST", "colls", "dbs/secretdb"), container);
      String unsigned = get(server, "/metrics").body();
      assertTrue(unsigned.contains("orrery_partition_bytes 0\n"), unsigned);
      assertFalse(unsigned.contains("secret"), unsigned);
      assertTrue(unsigned.contains("orrery_memory_bytes{lane=\"wire_in\"}"), unsigned);
      assertTrue(unsigned.contains("orrery_vitals_total{symptom=\"uncaught_error\"}"), unsigned);
      String signed = client.send(Target.feed("GET", "metrics", ""), "").body();
      assertTrue(signed.contains("database=\"secretdb\",container=\"secretcoll\""), signed);
    }
    Map<Setting, String> named = Map.of(Setting.ENGINE, "memory", Setting.METRICS_NAMES, "on");
    try (Server server = start(named)) {
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      client.send(Target.feed("POST", "colls", "dbs/d"), container);
      assertTrue(get(server, "/metrics").body().contains("database=\"d\",container=\"c\""));
    }
  }

  @Test
  void plainAndTlsShareThePortAndTheAuthorityIsServed() throws Exception {
    try (Server server = start(Map.of())) {
      String pem = get(server, "/_explorer/emulator.pem").body();
      HttpClient trusting = HttpClient.newBuilder().sslContext(trusting(pem)).build();
      URI ready = URI.create("https://localhost:" + server.address().getPort() + "/ready");
      var answer =
          trusting.send(
              HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.ofString());
      assertEquals("ready\n", answer.body());
      assertEquals("ready\n", get(server, "/ready").body());
    }
  }

  @Test
  void plainHttpCanBeRefusedOnEveryPort() throws Exception {
    try (Server server = start(Map.of(Setting.ENGINE, "memory", Setting.PLAIN_HTTP, "off"))) {
      assertEquals(400, get(server.address(), "/ready").statusCode());
      InetSocketAddress tables = Objects.requireNonNull(server.tableAddress());
      assertEquals(400, get(tables, "/Tables").statusCode());
    }
  }

  @Test
  void withoutTlsOnlyPlainIsServed() throws Exception {
    try (Server server = start(Map.of(Setting.ENGINE, "memory", Setting.TLS, "off"))) {
      assertEquals(200, get(server, "/ready").statusCode());
      assertTrue(get(server, "/_explorer/emulator.pem").statusCode() >= 400);
    }
  }

  @Test
  void dataAndKeysOutliveTheServer() throws Exception {
    try (Server server = start(Map.of())) {
      client(server).send(Target.feed("POST", "dbs", ""), "{\"id\":\"kept\"}");
    }
    try (Server server = start(Map.of())) {
      assertEquals(200, client(server).send(Target.one("GET", "dbs", "dbs/kept"), "").statusCode());
    }
  }

  @Test
  void aDirectoryIsServedByOneServer() {
    try (Server server = start(Map.of())) {
      var refused = assertThrows(StartRefused.class, () -> start(Map.of()));
      assertTrue(String.valueOf(refused.getMessage()).contains("in use"), refused.getMessage());
      assertTrue(server.address().getPort() > 0);
    }
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (var taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      var settings =
          Map.of(
              Setting.ENGINE,
              "memory",
              Setting.PORT,
              port,
              Setting.HOST,
              "0.0.0.0",
              Setting.PRIMARY_KEY,
              KeyRing.fresh().get(KeyName.PRIMARY));
      var refused = assertThrows(StartRefused.class, () -> start(settings));
      assertTrue(String.valueOf(refused.getMessage()).contains(port), refused.getMessage());
    }
  }

  @Test
  void hbaseThatIsNotThereIsNamed() {
    var settings = Map.of(Setting.ENGINE, "hbase", Setting.HBASE_ZOOKEEPER, "127.0.0.1:1");
    var refused = assertThrows(StartRefused.class, () -> start(settings));
    // Its jars are not there either, unless somebody put them on the class path.
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("hbase"), message);
    assertTrue(message.contains("class path") || message.contains("127.0.0.1:1"), message);
  }

  @Test
  void othersMayOnlyReachAServerWithAKeyOfItsOwn() {
    assertThrows(
        StartRefused.class, () -> start(Map.of(Setting.ENGINE, "memory", Setting.HOST, "0.0.0.0")));
  }

  @Test
  void aStopFinishesRequestsInFlight() throws Exception {
    try (ServerProcess server = ServerProcess.start(data)) {
      SignedClient client = server.client();
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      client.send(Target.feed("POST", "colls", "dbs/d"), definition);
      var writes = new CompletableFuture<Integer>();
      Thread.ofPlatform().start(() -> writes.complete(writeUntilRefused(client)));
      int code = server.stop();
      int written = writes.join();
      assertTrue(code == 0 || code == 143, "exit code " + code);
      try (Server again = start(Map.of())) {
        for (int i = 0; i < written; i++) {
          var link = Target.one("GET", "docs", "dbs/d/colls/c/docs/" + i);
          int status =
              client(again).send(link, "", "x-ms-documentdb-partitionkey", "[\"p\"]").statusCode();
          assertEquals(200, status);
        }
      }
    }
  }

  private static int writeUntilRefused(SignedClient client) {
    for (int i = 0; ; i++) {
      try {
        String item = "{\"id\":\"" + i + "\",\"pk\":\"p\"}";
        var answer = client.send(Target.feed("POST", "docs", "dbs/d/colls/c"), item);
        if (answer.statusCode() != 201) {
          return i;
        }
      } catch (java.io.IOException stopped) {
        return i;
      }
    }
  }

  private Server start(Map<Setting, String> more) {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.DATA, data.toString());
    given.put(Setting.PORT, "0");
    given.putAll(more);
    return Server.start(Settings.read(given, Map.of()));
  }

  private static SignedClient client(Server server) {
    return new SignedClient("http://127.0.0.1:" + server.address().getPort());
  }

  private static HttpResponse<String> get(Server server, String path) throws Exception {
    return get(server.address(), path);
  }

  private static HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static SSLContext trusting(String pem) throws Exception {
    var authority =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("orrery", authority);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
