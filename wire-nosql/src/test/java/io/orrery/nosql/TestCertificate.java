package io.orrery.nosql;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost, made by the JDK's own tool. */
final class TestCertificate {
  private static final String PASSWORD = "only-for-tests";
  private final KeyStore store;

  TestCertificate(Path directory) throws IOException, GeneralSecurityException {
    Path file = directory.resolve("localhost.p12");
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var command =
        List.of(
            (tool
                    + " -genkeypair -alias localhost -keyalg EC -dname CN=localhost -validity 2"
                    + " -ext SAN=dns:localhost,ip:127.0.0.1 -storetype PKCS12 -storepass "
                    + (PASSWORD + " -keystore " + file))
                .split(" "));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!Files.exists(file)) {
      throw new IOException(output);
    }
    store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
  }

  SslContext forServer() {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      return SslContextBuilder.forServer(keys).build();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  SSLContext forClient() throws GeneralSecurityException {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
