package io.orrery.server;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A value as somebody wrote it, with the place where he wrote it.
 *
 * @param origin option, variable or file that carried the value
 */
record Given(Setting setting, String value, String origin) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*(B|KB|MB|GB)?");

  boolean isIn(Path file) {
    return origin.equals(file.toString());
  }

  boolean truth() {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refused("true, false");
    };
  }

  int number(int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw refused("a number from " + least + " to " + most);
    }
    throw refused("a number from " + least + " to " + most);
  }

  long bytes(long least) {
    var size = SIZE.matcher(value.toUpperCase(Locale.ROOT));
    String smallest = least >> 20 > 0 ? (least >> 20) + "MB" : least + "B";
    String allowed = "a size such as 64MB or 1GB, at least " + smallest;
    if (!size.matches()) {
      throw refused(allowed);
    }
    int shift =
        switch (String.valueOf(size.group(2))) {
          case "KB" -> 10;
          case "MB" -> 20;
          case "GB" -> 30;
          default -> 0;
        };
    long number = Long.parseLong(size.group(1));
    if (number > Long.MAX_VALUE >> shift || number << shift < least) {
      throw refused(allowed);
    }
    return number << shift;
  }

  <E extends Enum<E>> E oneOf(Class<E> type) {
    E[] constants = type.getEnumConstants();
    return Arrays.stream(constants)
        .filter(constant -> spelled(constant).equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                refused(String.join(", ", Arrays.stream(constants).map(Given::spelled).toList())));
  }

  StartRefused refused(String allowed) {
    String shown = setting.secret() ? "(hidden)" : "'" + value + "'";
    return new StartRefused(
        setting.key() + ": " + shown + " is refused (from " + origin + "); allowed: " + allowed);
  }

  private static String spelled(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace("_", "");
  }
}
