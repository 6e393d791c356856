package io.orrery.http;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection, as far as a protocol depends on it. */
public record Origin(
    boolean tls, @Nullable InetSocketAddress local, @Nullable InetSocketAddress remote) {

  static Origin of(Channel channel, boolean tls) {
    return new Origin(tls, inet(channel.localAddress()), inet(channel.remoteAddress()));
  }

  private static @Nullable InetSocketAddress inet(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet ? inet : null;
  }

  /**
   * The URL under which the client reached the server: from its Host header, unless that holds what
   * no host has. Without a slash at the end.
   */
  public String endpoint(@Nullable String hostHeader) {
    String host = hostHeader;
    if (host == null || !isHost(host)) {
      host = local == null ? "localhost" : local.getHostString() + ":" + local.getPort();
    }
    return (tls ? "https://" : "http://") + host;
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
}
