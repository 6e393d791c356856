package io.orrery.table;

import io.netty.util.AsciiString;
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
    if (has(asked, "odata=nometadata")) {
      return NONE;
    }
    if (has(asked, "odata=fullmetadata")) {
      return FULL;
    }
    if (has(asked, "json") || has(asked, "*/*") || asked.isBlank()) {
      return MINIMAL;
    }
    if (has(asked, "atom") || has(asked, "xml")) {
      throw new RefusedRequest(TableErrors.ATOM);
    }
    return MINIMAL;
  }

  private static boolean has(String asked, String part) {
    return AsciiString.indexOfIgnoreCaseAscii(asked, part, 0) >= 0;
  }
}
