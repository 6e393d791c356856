package io.orrery.nosql;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import io.orrery.http.Origin;
import io.orrery.operation.Bytes;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One whole request as routes see it.
 *
 * @param origin the connection it came over
 * @param briefSteps which steps of a batch want no item back
 */
record NosqlRequest(
    HttpMethod method,
    String target,
    ResourcePath path,
    HttpHeaders headers,
    Bytes body,
    Origin origin,
    BitSet briefSteps) {
  /** The preference not to be shown what was written. */
  static final String MINIMAL = "return=minimal";

  // Never changed: nearly every request is no batch.
  private static final BitSet NO_STEPS = new BitSet(0);

  NosqlRequest(
      HttpMethod method,
      String target,
      ResourcePath path,
      HttpHeaders headers,
      Bytes body,
      Origin origin) {
    this(method, target, path, headers, body, origin, NO_STEPS);
  }

  /** The same, with its body. */
  NosqlRequest with(Bytes received) {
    return new NosqlRequest(method, target, path, headers, received, origin, briefSteps);
  }

  /** The same, with the steps that want no item back. */
  NosqlRequest with(BitSet brief) {
    return new NosqlRequest(method, target, path, headers, body, origin, brief);
  }

  /** A header's value; an empty one counts as absent. */
  static @Nullable String header(HttpHeaders headers, AsciiString name) {
    String value = headers.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Whether what was written need not be told. */
  boolean wantsLittle() {
    String preference = header(NosqlHeaders.PREFER);
    return preference != null && preference.contains(MINIMAL);
  }

  @Nullable String header(AsciiString name) {
    return header(headers, name);
  }

  boolean has(AsciiString name) {
    return header(name) != null;
  }

  /** The URL under which the client reached the server. */
  String endpoint() {
    return origin.endpoint(header(NosqlHeaders.HOST)) + "/";
  }

  /** Whether a boolean header says yes, in whatever case. */
  boolean says(AsciiString name) {
    return "true".equalsIgnoreCase(headers.get(name));
  }
}
