package io.orrery.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/** Strings on their way into JSON text. */
public final class JsonText {
  private JsonText() {}

  /** The text as it stands between quotes. */
  public static String escape(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  public static String quote(String text) {
    return "\"" + escape(text) + "\"";
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
