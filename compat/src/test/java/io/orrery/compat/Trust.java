package io.orrery.compat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the authority of the shared server, and in nobody else. */
final class Trust {
  private static final String PASSWORD = "changeit";

  private Trust() {}

  /** The authority's certificate as the server hands it out, for clients that read files. */
  static final Path PEM = fetch();

  /** For clients that can be given a context. */
  static final SSLContext CONTEXT = context();

  /** For clients that look at the JVM's own settings. */
  static void install() {
    Path file = PEM.resolveSibling("trust.p12");
    try (var out = Files.newOutputStream(file)) {
      store().store(out, PASSWORD.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("trust store cannot be written", e);
    }
    System.setProperty("javax.net.ssl.trustStore", file.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
  }

  private static Path fetch() {
    try {
      Path folder = SharedServer.temporaryFolder();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> SharedServer.delete(folder)));
      RestAnswer answer =
          Rest.over("http").request("GET", "/_explorer/emulator.pem").unsigned().send();
      return Files.writeString(folder.resolve("authority.pem"), answer.text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyStore store() {
    try {
      Certificate authority =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(PEM)));
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("orrery", authority);
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the authority's certificate cannot be read", e);
    }
  }

  private static SSLContext context() {
    try {
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no TLS", e);
    }
  }
}
