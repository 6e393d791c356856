package io.orrery.nosql;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import io.orrery.operation.Bytes;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One whole request as routes see it.
 *
 * @param origin the connection it came over
 */
record NosqlRequest(
    HttpMethod method,
    String target,
    ResourcePath path,
    HttpHeaders headers,
    Bytes body,
    Origin origin) {

  /** A connection, as far as URLs depend on it. */
  record Origin(boolean tls, @Nullable InetSocketAddress local) {}

  /** A header's value; an empty one counts as absent. */
  static @Nullable String header(HttpHeaders headers, AsciiString name) {
    String value = headers.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  @Nullable String header(AsciiString name) {
    return header(headers, name);
  }

  boolean has(AsciiString name) {
    return header(name) != null;
  }

  /**
   * The URL under which the client reached the server: from its Host header, unless that holds what
   * no host has.
   */
  String endpoint() {
    String host = header(NosqlHeaders.HOST);
    InetSocketAddress local = origin.local();
    if (host == null || !isHost(host)) {
      host = local == null ? "localhost" : local.getHostString() + ":" + local.getPort();
    }
    return (origin.tls() ? "https://" : "http://") + host + "/";
  }

  private static boolean isHost(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0x7E || !(Character.isLetterOrDigit(c) || ".-_:[]".indexOf(c) >= 0)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a boolean header says yes, in whatever case. */
  boolean says(AsciiString name) {
    return "true".equalsIgnoreCase(headers.get(name));
  }
}
