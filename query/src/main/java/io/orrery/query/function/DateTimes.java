package io.orrery.query.function;

import io.orrery.operation.Keyword;
import io.orrery.value.Value;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Moments as 100 ns ticks since 1970, and their text {@code yyyy-MM-ddTHH:mm:ss.fffffffZ}. */
final class DateTimes {
  static final long TICKS_PER_SECOND = 10_000_000;
  static final long TICKS_PER_DAY = 86_400 * TICKS_PER_SECOND;
  private static final long FIRST = ticks(LocalDateTime.of(1, 1, 1, 0, 0));
  private static final long LAST = ticks(LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_900));
  private static final Pattern ISO =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)(?:[T ](\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,7}))?)?Z?");

  /** The parts of a moment that functions name. */
  enum Part {
    YEAR(0),
    MONTH(0),
    DAY(TICKS_PER_DAY),
    HOUR(3600 * TICKS_PER_SECOND),
    MINUTE(60 * TICKS_PER_SECOND),
    SECOND(TICKS_PER_SECOND),
    MILLISECOND(10_000),
    MICROSECOND(10),
    /** Finer than a tick. */
    NANOSECOND(0);

    /** Ticks of one unit, 0 where that is no whole number of ticks. */
    final long ticks;

    Part(long ticks) {
      this.ticks = ticks;
    }

    static @Nullable Part named(Value value) {
      if (!(value instanceof Value.Text(String name))) {
        return null;
      }
      return switch (Keyword.lower(name)) {
        case "year", "yyyy", "yy" -> YEAR;
        case "month", "mm", "m" -> MONTH;
        case "day", "dd", "d" -> DAY;
        case "hour", "hh" -> HOUR;
        case "minute", "mi", "n" -> MINUTE;
        case "second", "ss", "s" -> SECOND;
        case "millisecond", "ms" -> MILLISECOND;
        case "microsecond", "mcs" -> MICROSECOND;
        case "nanosecond", "ns" -> NANOSECOND;
        default -> null;
      };
    }
  }

  private DateTimes() {}

  static OptionalLong parse(Value value) {
    if (!(value instanceof Value.Text(String text))) {
      return OptionalLong.empty();
    }
    Matcher iso = ISO.matcher(text);
    if (!iso.matches()) {
      return OptionalLong.empty();
    }
    try {
      LocalDateTime date =
          LocalDateTime.of(
              number(iso.group(1)),
              number(iso.group(2)),
              number(iso.group(3)),
              number(iso.group(4)),
              number(iso.group(5)),
              number(iso.group(6)));
      String fraction = iso.group(7);
      long ticks = fraction == null ? 0 : Long.parseLong((fraction + "000000").substring(0, 7));
      return OptionalLong.of(ticks(date) + ticks);
    } catch (DateTimeException noSuchDay) {
      return OptionalLong.empty();
    }
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  static Value text(long ticks) {
    if (ticks < FIRST || ticks > LAST) {
      return Value.UNDEFINED;
    }
    LocalDateTime date = date(ticks);
    return Value.of(
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02dT%02d:%02d:%02d.%07dZ",
            date.getYear(),
            date.getMonthValue(),
            date.getDayOfMonth(),
            date.getHour(),
            date.getMinute(),
            date.getSecond(),
            date.getNano() / 100));
  }

  static boolean inRange(long ticks) {
    return ticks >= FIRST && ticks <= LAST;
  }

  static LocalDateTime date(long ticks) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(ticks, TICKS_PER_SECOND),
        (int) Math.floorMod(ticks, TICKS_PER_SECOND) * 100,
        ZoneOffset.UTC);
  }

  static long ticks(LocalDateTime date) {
    return date.toEpochSecond(ZoneOffset.UTC) * TICKS_PER_SECOND
        + date.get(ChronoField.NANO_OF_SECOND) / 100;
  }

  /** Units since 1970, counted down to the last boundary passed. */
  static long boundaries(Part part, long ticks) {
    return switch (part) {
      case YEAR -> date(ticks).getYear() - 1970L;
      case MONTH -> (date(ticks).getYear() - 1970L) * 12 + date(ticks).getMonthValue() - 1;
      case NANOSECOND -> ticks * 100;
      default -> Math.floorDiv(ticks, part.ticks);
    };
  }

  /** The moment some units later; empty outside the years 1 to 9999. */
  static OptionalLong plus(long ticks, Part part, long count) {
    try {
      long result =
          switch (part) {
            case YEAR -> ticks(date(ticks).plusYears(count));
            case MONTH -> ticks(date(ticks).plusMonths(count));
            case NANOSECOND -> Math.addExact(ticks, count / 100);
            default -> Math.addExact(ticks, Math.multiplyExact(part.ticks, count));
          };
      return inRange(result) ? OptionalLong.of(result) : OptionalLong.empty();
    } catch (ArithmeticException | DateTimeException outOfRange) {
      return OptionalLong.empty();
    }
  }
}
