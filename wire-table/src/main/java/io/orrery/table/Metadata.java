package io.orrery.table;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much an answer tells beside the properties. */
enum Metadata {
  NONE("application/json;odata=nometadata;streaming=true;charset=utf-8"),
  MINIMAL("application/json;odata=minimalmetadata;streaming=true;charset=utf-8"),
  FULL("application/json;odata=fullmetadata;streaming=true;charset=utf-8");

  private final String contentType;

  Metadata(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  /**
   * What a request asks for by {@code $format}, or else by its Accept header.
   *
   * @throws RefusedRequest when it wants another format
   */
  static Metadata of(@Nullable String format, @Nullable String accept) {
    String asked = format == null ? accept : format;
    if (asked == null) {
      return MINIMAL;
    }
    // As the clients write it; the rest need not be quick.
    if (asked.equals("application/json;odata=minimalmetadata")) {
      return MINIMAL;
    }
    if (asked.equals("application/json;odata=fullmetadata")) {
      return FULL;
    }
    String lower = asked.toLowerCase(Locale.ROOT);
    if (lower.contains("odata=nometadata")) {
      return NONE;
    }
    if (lower.contains("odata=fullmetadata")) {
      return FULL;
    }
    if (lower.contains("json") || lower.contains("*/*") || lower.isBlank()) {
      return MINIMAL;
    }
    if (lower.contains("atom") || lower.contains("xml")) {
      throw new RefusedRequest(TableErrors.ATOM);
    }
    return MINIMAL;
  }
}
