package io.orrery.server;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that the server shows. An own one is made when the first TLS client comes,
 * because it takes time and memory that others need not pay, and replaced in time while the server
 * runs.
 */
final class Tls {
  /** A certificate that is about to expire is replaced this long before. */
  static final Duration RENEW_BEFORE = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  private final String host;
  private final List<String> hostNames;
  private final @Nullable Path folder;
  private final InstantSource clock;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile @Nullable Shown shown;

  /** What is in use: the authority for clients to trust, and when the next one is due. */
  private record Shown(SslContext context, String authorityPem, Instant renewAt) {}

  private Tls(String host, List<String> hostNames, @Nullable Path folder, InstantSource clock) {
    this.host = host;
    this.hostNames = hostNames;
    this.folder = folder;
    this.clock = clock;
  }

  private Tls(SslContext context, String pem) {
    this.host = "";
    this.hostNames = List.of();
    this.folder = null;
    this.clock = InstantSource.system();
    this.shown = new Shown(context, pem, Instant.MAX);
  }

  /**
   * A certificate of an own authority.
   *
   * @param host the address that the server listens on
   * @param hostNames other names of the server
   * @param folder where it is kept, null to forget it
   */
  static Tls ownAuthority(
      String host, List<String> hostNames, @Nullable Path folder, InstantSource clock) {
    return new Tls(host, hostNames, folder, clock);
  }

  /** The certificate that the user brought. */
  static Tls ofFiles(Path certificate, Path key) {
    for (Path file : List.of(certificate, key)) {
      if (!Files.isReadable(file)) {
        throw new StartRefused("tls: the file '" + file + "' cannot be read");
      }
    }
    try {
      var builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile());
      return new Tls(finish(builder), Files.readString(certificate));
    } catch (IllegalArgumentException | IOException e) {
      throw new StartRefused(
          "tls: '"
              + certificate
              + "' and '"
              + key
              + "' are no certificate and key in PEM: "
              + (e.getCause() == null ? e : e.getCause()).getMessage(),
          e);
    }
  }

  /** For the next connection. The first call may take a second. */
  SslContext context() {
    Shown now = shown();
    if (clock.instant().isAfter(now.renewAt()) && renewing.compareAndSet(false, true)) {
      Thread.ofPlatform().name("certificates").daemon().start(this::renew);
    }
    return now.context();
  }

  /** What a client must trust, in PEM. The first call may take a second. */
  String authorityPem() {
    return shown().authorityPem();
  }

  private Shown shown() {
    Shown now = shown;
    return now == null ? first() : now;
  }

  private synchronized Shown first() {
    Shown now = shown;
    if (now == null) {
      now = own();
      shown = now;
    }
    return now;
  }

  private void renew() {
    try {
      Shown now = shown;
      // A connection that still saw the certificate of before may have asked a second time.
      if (now == null || clock.instant().isAfter(now.renewAt())) {
        shown = own();
      }
    } finally {
      renewing.set(false);
    }
  }

  private Shown own() {
    Instant now = clock.instant();
    Set<String> hosts = names(host, hostNames);
    Optional<Certificate> kept = kept("authority");
    Certificate authority =
        kept.filter(found -> found.validFor(CertificateAuthority.SERVER_LIFE, now))
            .filter(found -> CertificateAuthority.covers(found, hosts))
            .orElseGet(() -> keep("authority", CertificateAuthority.make(withMachine(hosts), now)));
    // In containers the machine has another name at each start: no reason for another authority.
    Set<String> shownHosts =
        CertificateAuthority.covers(authority, withMachine(hosts)) ? withMachine(hosts) : hosts;
    Certificate server =
        kept("server")
            .filter(found -> found.validFor(RENEW_BEFORE, now))
            .filter(found -> found.names(shownHosts) && found.signedBy(authority))
            .orElseGet(
                () ->
                    keep(
                        "server",
                        CertificateAuthority.serverCertificate(authority, shownHosts, now)));
    try {
      var builder =
          SslContextBuilder.forServer(server.key(), server.certificate(), authority.certificate());
      Instant end = server.certificate().getNotAfter().toInstant();
      return new Shown(finish(builder), authority.pem(), end.minus(RENEW_BEFORE));
    } catch (SSLException e) {
      throw new IllegalStateException("own certificate cannot be used", e);
    }
  }

  private Optional<Certificate> kept(String name) {
    return folder == null ? Optional.empty() : Certificate.kept(folder, name);
  }

  private Certificate keep(String name, Certificate made) {
    if (folder != null) {
      made.keep(folder, name);
      LOG.info("made certificate name={} folder={}", name, folder);
    }
    return made;
  }

  private static SslContext finish(SslContextBuilder builder) throws SSLException {
    return builder
        .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
        .protocols("TLSv1.3", "TLSv1.2")
        .build();
  }

  private static Set<String> names(String host, List<String> more) {
    var names = new LinkedHashSet<String>();
    names.add("localhost");
    names.add("127.0.0.1");
    names.add("0:0:0:0:0:0:0:1");
    try {
      InetAddress address = InetAddress.getByName(host);
      if (!address.isAnyLocalAddress()) {
        names.add(address.getHostAddress().replaceFirst("%.*", ""));
        names.add(host.contains(":") ? "localhost" : host);
      }
    } catch (UnknownHostException e) {
      LOG.info("host has no address reason={}", e.getMessage());
    }
    names.addAll(more);
    return names;
  }

  private static Set<String> withMachine(Set<String> hosts) {
    var names = new LinkedHashSet<>(hosts);
    try {
      names.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      LOG.info("this machine does not know its own name reason={}", e.getMessage());
    }
    return names;
  }
}
