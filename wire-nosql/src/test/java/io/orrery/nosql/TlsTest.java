package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.SslContext;
import io.orrery.http.Bounds;
import io.orrery.http.Patience;
import io.orrery.operation.Memory;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(QuietLog.class)
class TlsTest {
  private static final AtomicInteger ASKED = new AtomicInteger();
  @TempDir static Path directory;
  private static TestCertificate certificate;
  private static ServerFixture server;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException {
    certificate = new TestCertificate(directory);
    server = serving(Patience.USUAL);
  }

  private static SslContext context() {
    ASKED.incrementAndGet();
    return certificate.forServer();
  }

  private static ServerFixture serving(Patience patience) {
    return new ServerFixture(config(TlsTest::context), ServerFixture.emptyDatabase(), patience);
  }

  private static NosqlConfig config(Supplier<SslContext> tls) {
    return config(tls, ServerFixture.config().bounds());
  }

  private static NosqlConfig config(Supplier<SslContext> tls, Bounds bounds) {
    NosqlConfig plain = ServerFixture.config();
    return new NosqlConfig(
        plain.host(),
        0,
        tls,
        plain.access(),
        plain.limits(),
        plain.consistency(),
        plain.publicPages(),
        plain.observer(),
        plain.stopWithin(),
        bounds);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RawClient secure() throws GeneralSecurityException, IOException {
    Socket socket =
        certificate
            .forClient()
            .getSocketFactory()
            .createSocket("localhost", server.address().getPort());
    return new RawClient(socket);
  }

  private static RawClient.Reply account(RawClient client, String... headers) {
    String head = "GET / HTTP/1.1\r\nHost: myhost:8081\r\n" + String.join("", headers);
    client.send(head + Signature.now().lines("GET", "") + "\r\n");
    return Objects.requireNonNull(client.reply());
  }

  @Test
  void bothWaysAreServedOnOnePort() throws GeneralSecurityException, IOException {
    int before = ASKED.get();
    for (int i = 0; i < 3; i++) {
      try (var client = secure()) {
        assertTrue(account(client).body().contains("\"https://myhost:8081/\""));
        assertTrue(account(client).body().contains("\"https://myhost:8081/\""));
      }
      try (var client = server.connect()) {
        assertTrue(account(client).body().contains("\"http://myhost:8081/\""));
      }
    }
    assertEquals(3, ASKED.get() - before, "each client is shown the present certificate");
  }

  @Test
  void plainHttpCanBeRefused() throws GeneralSecurityException, IOException {
    Bounds usual = Bounds.of(Memory.process());
    var bounds = new Bounds(usual.memory(), usual.connections(), false);
    try (var strict =
        new ServerFixture(
            config(certificate::forServer, bounds),
            ServerFixture.emptyDatabase(),
            Patience.USUAL)) {
      try (var client = strict.connect()) {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n" + Signature.now().lines("GET", "") + "\r\n");
        RawClient.Reply reply = Objects.requireNonNull(client.reply());
        assertEquals(400, reply.status());
        assertTrue(reply.body().contains("--plain-http"), reply.body());
        assertNull(client.replyOrNull());
      }
      Socket socket =
          certificate
              .forClient()
              .getSocketFactory()
              .createSocket("localhost", strict.address().getPort());
      try (var client = new RawClient(socket)) {
        assertEquals(200, account(client).status());
      }
    }
  }

  @Test
  void closingIsOrderly() throws GeneralSecurityException, IOException {
    try (var client = secure()) {
      assertEquals(200, account(client, "Connection: close\r\n").status());
      assertTrue(client.isClosedInOrder());
    }
  }

  @Test
  void aBrokenHandshakeIsLeft() {
    // Only here, where nobody has to end a handshake in time.
    Patience usual = Patience.USUAL;
    var hurried =
        new Patience(
            Duration.ofSeconds(1),
            usual.request(),
            usual.reading(),
            usual.idle(),
            usual.lingering());
    try (var hasty = serving(hurried)) {
      try (var client = hasty.connect()) {
        client.send(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0, 1, 2, 3});
        assertNull(client.replyOrNull());
      }
      try (var client = hasty.connect()) {
        client.send(new byte[] {0x16, 3, 1});
        assertNull(client.replyOrNull());
      }
    }
  }
}
