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

/** A server under load; with a context it is spoken to over TLS. */
record Target(InetSocketAddress address, @Nullable SslContext tls) {
  /** One cipher for both sides, so that neither is measured with a cheaper one. */
  static final String CIPHER = "TLS_AES_128_GCM_SHA256";

  static Target plain(int port) {
    return new Target(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
  }

  static Target tls(int port) {
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
      return new Target(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), context);
    } catch (SSLException e) {
      throw new BenchFault("TLS cannot be used", e);
    }
  }
}
