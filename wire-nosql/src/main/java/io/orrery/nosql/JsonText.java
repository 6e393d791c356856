package io.orrery.nosql;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/** Strings on their way into JSON text. */
final class JsonText {
  private JsonText() {}

  /** The text as it stands between quotes. */
  static String escape(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  static String quote(String text) {
    return "\"" + escape(text) + "\"";
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
