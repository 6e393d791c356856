package io.orrery.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a web page of somebody else makes a browser send. A server on loopback that
 * takes the emulator's well-known key has no secret left, so the names in Host and Origin are what
 * tells its own clients from a page whose name was rebound to 127.0.0.1.
 */
public final class OwnHosts {
  /** Lets every request pass. */
  public static final OwnHosts ANY = new OwnHosts(List.of());

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
  private static final List<String> SCHEMES = List.of("http://", "https://");
  private static final int PORT_DIGITS_MAX = 5;

  /** In lower case; empty when nothing is checked. */
  private final List<String> names;

  private OwnHosts(Collection<String> names) {
    this.names = List.copyOf(names);
  }

  /** The names of loopback and those given, of which IPv6 addresses may stand without brackets. */
  public static OwnHosts loopbackAnd(Collection<String> more) {
    var names = new LinkedHashSet<>(LOOPBACK);
    for (String name : more) {
      boolean bare = name.indexOf(':') >= 0 && !name.startsWith("[");
      names.add((bare ? "[" + name + "]" : name).toLowerCase(Locale.ROOT));
    }
    return new OwnHosts(names);
  }

  /** Why the request is refused; null when it is not. */
  public @Nullable String refusal(HttpRequest head, Origin connection) {
    if (names.isEmpty()) {
      return null;
    }
    HttpHeaders headers = head.headers();
    // Without a Host it is no browser.
    String host = headers.get(HttpHeaderNames.HOST);
    if (host != null && !isOwn(host)) {
      return told("header Host", host);
    }
    String target = authority(head.uri());
    if (target != null && !isOwn(target)) {
      return told("target of the request", target);
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    return origin == null || isOwnOrigin(origin, host, connection)
        ? null
        : told("header Origin", origin);
  }

  /** Of a target that is a whole address, which goes before the Host; null for a mere path. */
  private static @Nullable String authority(String uri) {
    int scheme = uri.indexOf("://");
    int path = uri.indexOf('/');
    if (scheme < 0 || path != scheme + 1) {
      return null;
    }
    int from = scheme + 3;
    int to = from;
    while (to < uri.length() && "/?#".indexOf(uri.charAt(to)) < 0) {
      to++;
    }
    return uri.substring(from, to);
  }

  private static String told(String where, String value) {
    return "The "
        + where
        + " names '"
        + Percent.forHeader(value)
        + "', which is not this server. While the emulator's well-known key works, only localhost,"
        + " 127.0.0.1, [::1] and names given with --host-name NAME are served, and no web page but"
        + " the server's own. Give the name with --host-name, configure a key with --key, or"
        + " switch the check off with --well-known-key everywhere.";
  }

  private boolean isOwn(String host) {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (host.regionMatches(true, 0, name, 0, name.length()) && isPort(host, name.length())) {
        return true;
      }
    }
    return false;
  }

  /** Nothing, or a colon and digits. */
  private static boolean isPort(String host, int from) {
    if (from == host.length()) {
      return true;
    }
    int digits = host.length() - from - 1;
    if (host.charAt(from) != ':' || digits < 1 || digits > PORT_DIGITS_MAX) {
      return false;
    }
    for (int i = from + 1; i < host.length(); i++) {
      if (host.charAt(i) < '0' || host.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** The server's page as the client reached it, or at the port that the connection came to. */
  private boolean isOwnOrigin(String origin, @Nullable String host, Origin connection) {
    for (String scheme : SCHEMES) {
      if (origin.regionMatches(true, 0, scheme, 0, scheme.length())) {
        String authority = origin.substring(scheme.length());
        String port = connection.local() == null ? "" : ":" + connection.local().getPort();
        return isOwn(authority)
            && (authority.equalsIgnoreCase(host) || (!port.isEmpty() && authority.endsWith(port)));
      }
    }
    return false;
  }
}
