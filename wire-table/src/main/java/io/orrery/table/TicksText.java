package io.orrery.table;

import io.orrery.operation.Ticks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times with seven digits behind the second, as texts that are ordered like the times. */
final class TicksText {
  /** No time. */
  static final long NONE = Long.MIN_VALUE;

  /** Length of {@code 2020-08-20T22:19:55.5985416Z}. */
  static final int LENGTH = 28;

  private static final int FRACTION_DIGITS = 7;
  private static final int NANOS_PER_TICK = 100;
  private static final String ETAG_BEGIN = "W/\"datetime'";
  private static final String ETAG_END = "'\"";

  // Of the last second that was written on this thread: most times of a page share few of them.
  private static final ThreadLocal<Second> LAST = ThreadLocal.withInitial(Second::new);

  private static final class Second {
    private long second = Long.MIN_VALUE;
    private String text = "";
  }

  private TicksText() {}

  static String of(long ticks) {
    long second = Math.floorDiv(ticks, Ticks.PER_SECOND);
    Second last = LAST.get();
    if (second != last.second) {
      String whole = DateTimeFormatter.ISO_INSTANT.format(Instant.ofEpochSecond(second));
      last.text = whole.substring(0, whole.length() - 1);
      last.second = second;
    }
    var text = new StringBuilder(LENGTH).append(last.text).append('.');
    String fraction = Long.toString(Math.floorMod(ticks, Ticks.PER_SECOND));
    for (int i = fraction.length(); i < FRACTION_DIGITS; i++) {
      text.append('0');
    }
    return text.append(fraction).append('Z').toString();
  }

  /** The time of a text with or without fraction and zone; {@link #NONE} when it is none. */
  static long parse(String text) {
    try {
      if (text.indexOf('T') < 0) {
        return ticks(LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
      }
      boolean zoned = text.endsWith("Z") || text.indexOf('+') > 0 || text.lastIndexOf('-') > 9;
      return ticks(OffsetDateTime.parse(zoned ? text : text + "Z").toInstant());
    } catch (DateTimeException | ArithmeticException notOne) {
      return NONE;
    }
  }

  private static long ticks(Instant instant) {
    long whole = Math.multiplyExact(instant.getEpochSecond(), Ticks.PER_SECOND);
    return whole + instant.getNano() / NANOS_PER_TICK;
  }

  /** The etag of a version committed at a time. */
  static String etag(long ticks) {
    return ETAG_BEGIN + escaped(of(ticks)) + ETAG_END;
  }

  /** A time of 28 characters as etags hold it. */
  static String escaped(String time) {
    return time.substring(0, 13) + "%3A" + time.substring(14, 16) + "%3A" + time.substring(17);
  }

  /** The commit time that an etag names, colons escaped or not; {@link #NONE} for another text. */
  static long ofEtag(String etag) {
    if (!etag.startsWith(ETAG_BEGIN) || !etag.endsWith(ETAG_END)) {
      return NONE;
    }
    if (etag.length() < ETAG_BEGIN.length() + ETAG_END.length()) {
      return NONE;
    }
    String time = etag.substring(ETAG_BEGIN.length(), etag.length() - ETAG_END.length());
    return parse(time.replace("%3A", ":").replace("%3a", ":"));
  }
}
