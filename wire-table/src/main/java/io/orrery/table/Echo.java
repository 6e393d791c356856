package io.orrery.table;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What goes back to a client as it came, with whatever answer.
 *
 * @param clientId the client's own name of the request
 * @param version of the protocol
 */
record Echo(@Nullable String clientId, String version) {
  private static final String VERSION = "2019-02-02";
  private static final int CLIENT_ID_MAX = 1_024;

  /** For a request that could not be read. */
  static final Echo NONE = new Echo(null, VERSION);

  static Echo of(HttpHeaders headers) {
    String id = headers.get(TableHeaders.CLIENT_REQUEST_ID);
    String version = headers.get(TableHeaders.VERSION);
    return new Echo(
        id == null || id.isEmpty() || id.length() > CLIENT_ID_MAX ? null : id,
        version == null || !isVersion(version) ? VERSION : version);
  }

  /** Versions are dates. */
  private static boolean isVersion(String text) {
    if (text.length() != VERSION.length()) {
      return false;
    }
    for (int i = 0; i < VERSION.length(); i++) {
      char c = text.charAt(i);
      if (VERSION.charAt(i) == '-' ? c != '-' : c < '0' || c > '9') {
        return false;
      }
    }
    return true;
  }
}
