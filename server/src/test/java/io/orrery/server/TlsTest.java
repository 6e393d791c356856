package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final InstantSource NOW = InstantSource.system();

  @TempDir Path folder;

  @Test
  void clientThatTrustsTheAuthorityTrustsTheServer() throws Exception {
    Tls tls = Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW);
    X509Certificate authority = parse(tls.authorityPem());
    X509Certificate server = parse(Files.readString(folder.resolve("server.pem")));
    trusting(authority).checkServerTrusted(new X509Certificate[] {server, authority}, "UNKNOWN");
    assertTrue(authority.getBasicConstraints() >= 0);
    assertEquals(-1, server.getBasicConstraints());
    assertTrue(tls.context().isServer());
  }

  @Test
  void certificateNamesEveryWayToThisMachine() {
    Tls.ownAuthority("127.0.0.2", List.of(), folder, NOW).authorityPem();
    Certificate server = Certificate.kept(folder, "server").orElseThrow();
    assertTrue(server.names(List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "127.0.0.2")));
  }

  @Test
  void secondStartReadsTheFiles() throws IOException {
    String authority = Tls.ownAuthority("::1", List.of(), folder, NOW).authorityPem();
    String server = Files.readString(folder.resolve("server.pem"));
    assertEquals(authority, Tls.ownAuthority("::1", List.of(), folder, NOW).authorityPem());
    assertEquals(server, Files.readString(folder.resolve("server.pem")));
  }

  @Test
  void theAuthorityCanSpeakForThisServerOnly() {
    Tls.ownAuthority("127.0.0.1", List.of("db.test"), folder, NOW).authorityPem();
    Certificate authority = Certificate.kept(folder, "authority").orElseThrow();
    Certificate server = Certificate.kept(folder, "server").orElseThrow();
    assertTrue(server.names(List.of("db.test")));
    assertTrue(authority.certificate().getCriticalExtensionOIDs().contains("2.5.29.30"));
    for (String own :
        List.of("localhost", "db.test", "127.0.0.1", "127.9.9.9", "0:0:0:0:0:0:0:1")) {
      assertTrue(CertificateAuthority.covers(authority, List.of(own)), own);
    }
    for (String foreign : List.of("bank.example", "notdb.test", "10.1.2.3", "0:0:0:0:0:0:0:2")) {
      assertFalse(CertificateAuthority.covers(authority, List.of(foreign)), foreign);
    }
    // Another name than the authority may speak for asks for another authority.
    String before = authority.pem();
    assertNotEquals(
        before, Tls.ownAuthority("127.0.0.1", List.of("new.test"), folder, NOW).authorityPem());
  }

  @Test
  void newHostGetsANewCertificateOfTheSameAuthority() throws IOException {
    String authority = Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    String server = Files.readString(folder.resolve("server.pem"));
    assertEquals(authority, Tls.ownAuthority("127.0.0.9", List.of(), folder, NOW).authorityPem());
    assertNotEquals(server, Files.readString(folder.resolve("server.pem")));
  }

  @Test
  void certificateIsReplacedBeforeItExpiresWhileTheServerRuns() throws Exception {
    var time = new AtomicLong(System.currentTimeMillis());
    Tls tls =
        Tls.ownAuthority("127.0.0.1", List.of(), folder, () -> Instant.ofEpochMilli(time.get()));
    var first = tls.context();
    time.addAndGet(CertificateAuthority.SERVER_LIFE.minusDays(20).toMillis());
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (tls.context().equals(first) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertNotEquals(first, tls.context());
    Certificate server = Certificate.kept(folder, "server").orElseThrow();
    assertTrue(server.validFor(Duration.ofDays(300), Instant.ofEpochMilli(time.get())));
  }

  @Test
  void privateKeysAreForTheOwnersEyes() throws IOException {
    Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    for (String name : List.of("authority-key.pem", "server-key.pem")) {
      var permissions = Files.getPosixFilePermissions(folder.resolve(name));
      assertEquals("rw-------", PosixFilePermissions.toString(permissions));
    }
  }

  @Test
  void tornFilesAreMadeAgain() throws IOException {
    String before = Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    Files.writeString(folder.resolve("authority.pem"), before.substring(0, 100));
    String after = Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    assertNotEquals(before, after);
    Certificate authority = Certificate.kept(folder, "authority").orElseThrow();
    assertTrue(Certificate.kept(folder, "server").orElseThrow().signedBy(authority));
  }

  @Test
  void filesOfTwoPairsAreMadeAgain() throws IOException {
    String before = Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    Files.copy(
        folder.resolve("server-key.pem"),
        folder.resolve("authority-key.pem"),
        StandardCopyOption.REPLACE_EXISTING);
    assertTrue(Certificate.kept(folder, "authority").isEmpty());
    assertNotEquals(before, Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem());
    Certificate authority = Certificate.kept(folder, "authority").orElseThrow();
    assertTrue(Certificate.kept(folder, "server").orElseThrow().signedBy(authority));
  }

  @Test
  void withoutAFolderNothingIsWritten() throws IOException {
    assertTrue(Tls.ownAuthority("127.0.0.1", List.of(), null, NOW).context().isServer());
    try (var files = Files.list(folder)) {
      assertFalse(files.findAny().isPresent());
    }
  }

  @Test
  void filesOfTheUserAreShown() throws IOException {
    Tls.ownAuthority("127.0.0.1", List.of(), folder, NOW).authorityPem();
    Path certificate = folder.resolve("server.pem");
    Tls tls = Tls.ofFiles(certificate, folder.resolve("server-key.pem"));
    assertTrue(tls.context().isServer());
    assertEquals(Files.readString(certificate), tls.authorityPem());
  }

  @Test
  void missingAndBrokenFilesOfTheUserAreRefused() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.pem"), "no certificate");
    Path missing = folder.resolve("missing.pem");
    assertThrows(StartRefused.class, () -> Tls.ofFiles(missing, broken));
    assertThrows(StartRefused.class, () -> Tls.ofFiles(broken, broken));
  }

  private static X509Certificate parse(String pem) throws Exception {
    var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
  }

  private static X509TrustManager trusting(X509Certificate authority) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("authority", authority);
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return (X509TrustManager) Objects.requireNonNull(factory.getTrustManagers()[0]);
  }
}
