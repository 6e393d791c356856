package io.orrery.table;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.orrery.http.Origin;
import io.orrery.operation.Bytes;
import io.orrery.operation.Keyword;
import io.orrery.operation.Precondition;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One whole request, or one of those inside a batch.
 *
 * @param method the verb that is meant: {@code X-HTTP-Method} goes before the request's own
 */
record TableRequest(
    String method,
    TablePath path,
    QueryString parameters,
    HttpHeaders headers,
    Bytes body,
    Origin origin) {
  private static final String NO_CONTENT = "return-no-content";

  /** The same, with its body. */
  TableRequest with(Bytes received) {
    return new TableRequest(method, path, parameters, headers, received, origin);
  }

  /** The verb that a request means. */
  static String method(String own, HttpHeaders headers) {
    String tunnelled = headers.get(TableHeaders.METHOD);
    String method = tunnelled == null || !own.equals("POST") ? own : tunnelled.strip();
    String upper = Keyword.upper(method);
    return upper.equals("MERGE") ? "PATCH" : upper;
  }

  /** A header's value; an empty one counts as absent. */
  @Nullable String header(AsciiString name) {
    String value = headers.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  Metadata metadata() {
    return Metadata.of(parameters.get("$format"), header(TableHeaders.ACCEPT));
  }

  /**
   * The body, for those who read JSON.
   *
   * @throws RefusedRequest when it is said to be the format that clients used before
   */
  Bytes json() {
    String type = header(TableHeaders.CONTENT_TYPE);
    if (type != null && AsciiString.indexOfIgnoreCaseAscii(type, "atom+xml", 0) >= 0) {
      throw new RefusedRequest(TableErrors.ATOM);
    }
    return body;
  }

  /** From now on the client is taken not to want to be shown what it made. */
  void wantNoContent() {
    headers.set(TableHeaders.PREFER, NO_CONTENT);
  }

  /** Whether the client does not want to be shown what it made. */
  boolean wantsNoContent() {
    return prefers(NO_CONTENT);
  }

  /** Whether it says that it does; nothing said means the same. */
  boolean wantsContent() {
    return prefers("return-content");
  }

  private boolean prefers(String way) {
    String preference = header(TableHeaders.PREFER);
    return preference != null && preference.contains(way);
  }

  /** The names of {@code $select}; null for all properties. */
  @Nullable Set<String> selected() {
    String given = parameters.get("$select");
    if (given == null) {
      return null;
    }
    var names = new HashSet<String>();
    for (String name : given.split(",", -1)) {
      names.add(name.strip());
    }
    return names.contains("*") ? null : names;
  }

  /** What If-Match asks for; nothing when it is not there. */
  Precondition precondition() {
    String match = header(TableHeaders.IF_MATCH);
    if (match == null) {
      return Precondition.NONE;
    }
    if (match.equals("*")) {
      return new Precondition.Exists();
    }
    long ticks = TicksText.ofEtag(match);
    if (ticks == TicksText.NONE) {
      throw RefusedRequest.invalidInput("The etag value '" + match + "' is not valid.");
    }
    return new Precondition.CommittedAt(ticks);
  }
}
