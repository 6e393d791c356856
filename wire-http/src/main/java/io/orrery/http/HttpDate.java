package io.orrery.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates as HTTP writes them. */
public final class HttpDate {
  public static final long NONE = Long.MIN_VALUE;

  // The platform's own RFC 1123 format reads every form, but writes days below ten in one digit.
  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  public static String text(long seconds) {
    return WRITTEN.format(Instant.ofEpochSecond(seconds));
  }

  /** The seconds since 1970, or {@link #NONE} when the text is no date. */
  public static long seconds(String text) {
    try {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(withKnownZone(text)))
          .getEpochSecond();
    } catch (DateTimeException notRfc1123) {
      return NONE;
    }
  }

  /** Go writes the zone as UTC, which the platform's format does not know. */
  private static String withKnownZone(String text) {
    return text.endsWith(" UTC") || text.endsWith(" Z")
        ? text.substring(0, text.lastIndexOf(' ')) + " GMT"
        : text;
  }
}
