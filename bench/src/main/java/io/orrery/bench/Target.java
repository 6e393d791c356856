package io.orrery.bench;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A server under load; with a context it is spoken to over TLS.
 *
 * @param addresses clients connect to them in turn
 */
record Target(List<InetSocketAddress> addresses, @Nullable SslContext tls) {
  /** One cipher for both sides, so that neither is measured with a cheaper one. */
  static final String CIPHER = "TLS_AES_128_GCM_SHA256";

  static Target plain(int port) {
    return plain(List.of(port));
  }

  static Target plain(List<Integer> ports) {
    return new Target(addresses(ports), null);
  }

  private static List<InetSocketAddress> addresses(List<Integer> ports) {
    InetAddress here = InetAddress.getLoopbackAddress();
    return ports.stream().map(port -> new InetSocketAddress(here, port)).toList();
  }

  InetSocketAddress address(int client) {
    return addresses.get(client % addresses.size());
  }

  static Target tls(int port) {
    return tls(List.of(port));
  }

  static Target tls(List<Integer> ports) {
    try {
      // Only this machine's own child processes are spoken to: nobody is to be told apart.
      SslContext context =
          SslContextBuilder.forClient()
              .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
              .trustManager(InsecureTrustManagerFactory.INSTANCE)
              .protocols("TLSv1.3")
              .ciphers(List.of(CIPHER))
              .endpointIdentificationAlgorithm(null)
              .build();
      return new Target(addresses(ports), context);
    } catch (SSLException e) {
      throw new BenchFault("TLS cannot be used", e);
    }
  }
}
