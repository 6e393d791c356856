package io.orrery.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A connection on which bytes are sent and answers are read as a test likes. */
final class CrowdClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final SSLContext TRUSTING = trusting();

  private final Socket socket;
  private final InputStream in;

  CrowdClient(int port, boolean tls, int receiveBytes) {
    try {
      var plain = new Socket();
      plain.setReceiveBufferSize(receiveBytes);
      plain.setSoTimeout(PATIENCE_MILLIS);
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket =
          tls ? TRUSTING.getSocketFactory().createSocket(plain, "localhost", port, true) : plain;
      if (socket instanceof SSLSocket secure) {
        secure.startHandshake();
      }
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends it as far as the server takes it; false when the connection ends before that. */
  boolean send(String ascii) {
    try {
      socket.getOutputStream().write(ascii.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  /**
   * The status of the next answer, which is read to its end.
   *
   * @throws IOException when the connection ends before that
   */
  int status() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    long length = -1;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring(15).strip());
      }
    }
    if (chunked) {
      for (length = chunk(); length > 0; length = chunk()) {
        in.skipNBytes(length + 2);
      }
      line();
    } else if (length > 0) {
      in.skipNBytes(length);
    }
    return status;
  }

  private long chunk() throws IOException {
    return Long.parseLong(line(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("The connection ended within an answer: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext trusting() {
    var all =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {all}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
