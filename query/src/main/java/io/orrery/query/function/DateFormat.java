package io.orrery.query.function;

import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The format letters of DATETIMEFORMAT, which are .NET's: runs of {@code y M d H h m s f F t},
 * {@code \} before a literal letter, everything else as it is.
 */
final class DateFormat {
  /** No letter of a format becomes more characters: MMMM is September. */
  private static final int EXPANSION_MAX = 3;

  private final LocalDateTime date;
  private final StringBuilder out = new StringBuilder();

  private DateFormat(LocalDateTime date) {
    this.date = date;
  }

  /** Draws the memory of the text before it is built, and counts each run of letters. */
  static String of(LocalDateTime date, String format, Work work) {
    work.text((long) EXPANSION_MAX * format.length());
    DateFormat formatting = new DateFormat(date);
    int i = 0;
    while (i < format.length()) {
      work.steps(1);
      char letter = format.charAt(i);
      if (letter == '\\' && i + 1 < format.length()) {
        formatting.out.append(format.charAt(i + 1));
        i += 2;
        continue;
      }
      int run = i;
      while (run < format.length() && format.charAt(run) == letter) {
        run++;
      }
      formatting.append(letter, run - i);
      i = run;
    }
    return formatting.out.toString();
  }

  private void append(char letter, int count) {
    switch (letter) {
      case 'y' -> number(count <= 2 ? date.getYear() % 100 : date.getYear(), count);
      case 'M' ->
          named(
              count,
              date.getMonthValue(),
              () -> date.getMonth().getDisplayName(style(count), Locale.ENGLISH));
      case 'd' ->
          named(
              count,
              date.getDayOfMonth(),
              () -> date.getDayOfWeek().getDisplayName(style(count), Locale.ENGLISH));
      case 'H' -> number(date.getHour(), Math.min(count, 2));
      case 'h' -> number((date.getHour() + 11) % 12 + 1, Math.min(count, 2));
      case 'm' -> number(date.getMinute(), Math.min(count, 2));
      case 's' -> number(date.getSecond(), Math.min(count, 2));
      case 't' -> out.append(date.getHour() < 12 ? "AM" : "PM", 0, Math.min(count, 2));
      case 'f' -> out.append(fraction(count));
      case 'F' -> out.append(fraction(count).replaceAll("0+$", ""));
      default -> out.append(String.valueOf(letter).repeat(count));
    }
  }

  private static TextStyle style(int count) {
    return count == 3 ? TextStyle.SHORT : TextStyle.FULL;
  }

  private void named(int count, int number, Supplier<String> name) {
    if (count > 2) {
      out.append(name.get());
    } else {
      number(number, count);
    }
  }

  private void number(int number, int digits) {
    String text = Integer.toString(number);
    out.repeat('0', Math.max(0, digits - text.length())).append(text);
  }

  private String fraction(int count) {
    String digits =
        Integer.toString(1_000_000_000 + date.get(ChronoField.NANO_OF_SECOND)).substring(1);
    return digits.substring(0, Math.min(count, 7));
  }
}
