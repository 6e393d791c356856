package io.orrery.query.function;

import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.query.function.DateTimes.Part;
import io.orrery.value.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Functions of dates and times. */
final class DateFunctions {
  static final List<Function> ALL =
      List.of(
          strict("DATETIMEADD", 3, a -> add(a[2], a[0], a[1], 1)),
          strict("DATETIMEBIN", 2, 4, DateFunctions::bin),
          strict("DATETIMEDIFF", 3, DateFunctions::difference),
          strict("DATETIMEFORMAT", 2, DateFunctions::format),
          strict("DATETIMEFROMPARTS", 3, 7, DateFunctions::fromParts),
          strict("DATETIMEPART", 2, a -> part(a[0], a[1])),
          of("DATETIMETOTICKS", ticks -> ticks),
          of("DATETIMETOTIMESTAMP", ticks -> Math.floorDiv(ticks, 10_000)),
          strict("TICKSTODATETIME", 1, a -> fromNumber(a[0], 1)),
          strict("TIMESTAMPTODATETIME", 1, a -> fromNumber(a[0], 10_000)),
          lenient("IS_DATETIME", 1, 1, a -> Value.of(DateTimes.parse(a[0]).isPresent())),
          strict("DAY", 1, a -> part(Value.of("dd"), a[0])),
          strict("MONTH", 1, a -> part(Value.of("mm"), a[0])),
          strict("YEAR", 1, a -> part(Value.of("yyyy"), a[0])),
          now("GETCURRENTDATETIME", false, DateTimes::text),
          now("GETCURRENTDATETIMESTATIC", true, DateTimes::text),
          now("GETCURRENTTICKS", false, Value::of),
          now("GETCURRENTTICKSSTATIC", true, Value::of),
          now("GETCURRENTTIMESTAMP", false, ticks -> Value.of(Math.floorDiv(ticks, 10_000))),
          now("GETCURRENTTIMESTAMPSTATIC", true, ticks -> Value.of(Math.floorDiv(ticks, 10_000))),
          new Function(
              "NOW",
              0,
              2,
              (a, work) ->
                  a.length == 0
                      ? nowText(work.clock())
                      : a.length == 2
                          ? add(nowText(work.clock()), a[0], a[1], 1)
                          : Value.UNDEFINED),
          new Function("AGO", 2, 2, (a, work) -> add(nowText(work.clock()), a[0], a[1], -1)));

  /** More ticks than the year 9999 has, and fewer than a long holds. */
  private static final double TICKS_MAX = 9e18;

  private DateFunctions() {}

  private interface OfTicks {
    Value apply(long ticks);
  }

  private static Function now(String name, boolean fixed, OfTicks form) {
    return new Function(
        name,
        0,
        0,
        (arguments, work) ->
            form.apply(ticks(fixed ? work.clock().statement() : work.clock().running().instant())));
  }

  private static long ticks(Instant instant) {
    return instant.getEpochSecond() * DateTimes.TICKS_PER_SECOND + instant.getNano() / 100;
  }

  private static Value nowText(QueryClock clock) {
    return DateTimes.text(ticks(clock.running().instant()));
  }

  private static Function of(String name, ToLongFunction<Long> body) {
    return strict(
        name,
        1,
        a -> {
          OptionalLong moment = DateTimes.parse(a[0]);
          return moment.isPresent()
              ? Value.of(body.applyAsLong(moment.getAsLong()))
              : Value.UNDEFINED;
        });
  }

  private static Value add(Value dateTime, Value unit, Value amount, int sign) {
    OptionalLong moment = DateTimes.parse(dateTime);
    Part part = Part.named(unit);
    if (moment.isEmpty()
        || part == null
        || !(amount instanceof Value.Num number)
        || !TypeFunctions.isInteger(amount)) {
      return Value.UNDEFINED;
    }
    OptionalLong result = DateTimes.plus(moment.getAsLong(), part, sign * (long) number.asDouble());
    return result.isPresent() ? DateTimes.text(result.getAsLong()) : Value.UNDEFINED;
  }

  private static Value difference(Value[] a) {
    Part part = Part.named(a[0]);
    OptionalLong start = DateTimes.parse(a[1]);
    OptionalLong end = DateTimes.parse(a[2]);
    if (part == null || start.isEmpty() || end.isEmpty()) {
      return Value.UNDEFINED;
    }
    if (part == Part.NANOSECOND) {
      long ticks = end.getAsLong() - start.getAsLong();
      return Math.abs(ticks) > Long.MAX_VALUE / 100
          ? Value.of(ticks * 100.0)
          : Value.of(ticks * 100);
    }
    return Value.of(
        DateTimes.boundaries(part, end.getAsLong())
            - DateTimes.boundaries(part, start.getAsLong()));
  }

  /** Down to the start of a bin of so many units, counted from the origin. */
  private static Value bin(Value[] a) {
    OptionalLong moment = DateTimes.parse(a[0]);
    Part part = Part.named(a[1]);
    Value size = a.length > 2 ? a[2] : Value.of(1);
    OptionalLong origin = a.length > 3 ? DateTimes.parse(a[3]) : OptionalLong.of(0);
    if (moment.isEmpty()
        || part == null
        || origin.isEmpty()
        || !(size instanceof Value.Int64(long units))
        || units < 1
        || units > DateTimes.TICKS_PER_DAY) {
      return Value.UNDEFINED;
    }
    long ticks = moment.getAsLong();
    long from = origin.getAsLong();
    if (part == Part.YEAR || part == Part.MONTH) {
      long passed = DateTimes.boundaries(part, ticks) - DateTimes.boundaries(part, from);
      OptionalLong start = DateTimes.plus(from, part, Math.floorDiv(passed, units) * units);
      return start.isPresent() ? DateTimes.text(start.getAsLong()) : Value.UNDEFINED;
    }
    long width = part == Part.NANOSECOND ? Math.max(1, units / 100) : part.ticks * units;
    return width <= 0
        ? Value.UNDEFINED
        : DateTimes.text(from + Math.floorDiv(ticks - from, width) * width);
  }

  private static Value part(Value name, Value dateTime) {
    Part part = Part.named(name);
    OptionalLong moment = DateTimes.parse(dateTime);
    if (part == null || moment.isEmpty()) {
      return Value.UNDEFINED;
    }
    LocalDateTime date = DateTimes.date(moment.getAsLong());
    return Value.of(
        (long)
            switch (part) {
              case YEAR -> date.getYear();
              case MONTH -> date.getMonthValue();
              case DAY -> date.getDayOfMonth();
              case HOUR -> date.getHour();
              case MINUTE -> date.getMinute();
              case SECOND -> date.getSecond();
              case MILLISECOND -> date.getNano() / 1_000_000;
              case MICROSECOND -> date.getNano() / 1_000;
              case NANOSECOND -> date.getNano();
            });
  }

  private static Value fromParts(Value[] a) {
    int[] parts = new int[7];
    for (int i = 0; i < a.length; i++) {
      if (!(a[i] instanceof Value.Int64(long number)) || number != (int) number) {
        return Value.UNDEFINED;
      }
      parts[i] = (int) number;
    }
    if (parts[0] < 1 || parts[0] > 9999 || parts[6] < 0 || parts[6] > 9_999_999) {
      return Value.UNDEFINED;
    }
    try {
      LocalDateTime date =
          LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
      return DateTimes.text(DateTimes.ticks(date) + parts[6]);
    } catch (DateTimeException noSuchMoment) {
      return Value.UNDEFINED;
    }
  }

  private static Value fromNumber(Value value, long ticksPerUnit) {
    if (!(value instanceof Value.Num number)) {
      return Value.UNDEFINED;
    }
    double ticks = Math.floor(number.asDouble()) * ticksPerUnit;
    if (Math.abs(ticks) > TICKS_MAX) {
      return Value.UNDEFINED;
    }
    return DateTimes.text(
        number instanceof Value.Int64(long whole) ? whole * ticksPerUnit : (long) ticks);
  }

  private static Value format(Value[] a, Work work) {
    OptionalLong moment = DateTimes.parse(a[0]);
    return moment.isPresent() && a[1] instanceof Value.Text(String format)
        ? Value.of(DateFormat.of(DateTimes.date(moment.getAsLong()), format, work))
        : Value.UNDEFINED;
  }
}
