package io.orrery.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A certificate with the elliptic-curve key that belongs to it. */
record Certificate(X509Certificate certificate, PrivateKey key) {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  boolean validFor(Duration time, Instant now) {
    return certificate.getNotAfter().toInstant().isAfter(now.plus(time));
  }

  boolean names(Collection<String> hosts) {
    return subjects().containsAll(hosts);
  }

  boolean signedBy(Certificate authority) {
    try {
      certificate.verify(authority.certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private Set<String> subjects() {
    try {
      var names = new HashSet<String>();
      Collection<List<?>> found = certificate.getSubjectAlternativeNames();
      for (List<?> name : found == null ? List.<List<?>>of() : found) {
        int kind = (Integer) name.get(0);
        if (kind == DNS_NAME || kind == IP_ADDRESS) {
          names.add((String) name.get(1));
        }
      }
      return names;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("certificate without readable names", e);
    }
  }

  String pem() {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("certificate without encoding", e);
    }
  }

  /** Keeps the pair as {@code NAME.pem} and {@code NAME-key.pem}. */
  void keep(Path folder, String name) {
    OwnerFile.write(folder.resolve(name + "-key.pem"), block("PRIVATE KEY", key.getEncoded()));
    OwnerFile.write(folder.resolve(name + ".pem"), pem());
  }

  /** The pair that was kept; nothing if a file is missing, torn or of another pair. */
  static Optional<Certificate> kept(Path folder, String name) {
    Path pem = folder.resolve(name + ".pem");
    Path keyPem = folder.resolve(name + "-key.pem");
    if (!Files.exists(pem) || !Files.exists(keyPem)) {
      return Optional.empty();
    }
    try {
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(pem)));
      byte[] encoded = unblock(Files.readString(keyPem));
      PrivateKey key =
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
      return Optional.of(new Certificate(certificate, key)).filter(Certificate::isPair);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the key belongs to the certificate: a crash may come between writing the two files. */
  private boolean isPair() {
    byte[] text = {1};
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String block(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private static byte[] unblock(String pem) {
    String text = pem.replaceAll("-----[A-Z ]+-----", "");
    return Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
  }
}
