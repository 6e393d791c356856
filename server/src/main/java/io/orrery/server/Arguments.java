package io.orrery.server;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a start that has nothing wrong with it. Loading the full parser costs a quarter of
 * a second of a start, so it is left to those who ask for help or made a mistake.
 */
final class Arguments {
  private Arguments() {}

  /** The settings after {@code serve}; nothing if the full parser has to look at them. */
  static Optional<Map<Setting, String>> ofServe(String[] arguments) {
    if (arguments.length == 0 || !arguments[0].equals("serve")) {
      return Optional.empty();
    }
    var found = new EnumMap<Setting, String>(Setting.class);
    for (int i = 1; i < arguments.length; i++) {
      String[] parts = arguments[i].split("=", 2);
      Setting setting = named(parts[0]);
      if (setting == null) {
        return Optional.empty();
      }
      boolean apart = parts.length == 1 && i + 1 < arguments.length && !isOption(arguments[i + 1]);
      if (parts.length == 1 && !apart && !setting.isSwitch()) {
        return Optional.empty();
      }
      String value = apart ? arguments[++i] : parts.length == 1 ? "true" : parts[1];
      String before = found.put(setting, value);
      if (before != null && !setting.repeatable()) {
        return Optional.empty();
      }
      if (before != null) {
        found.put(setting, before + "," + value);
      }
    }
    return Optional.of(found);
  }

  private static @Nullable Setting named(String option) {
    for (Setting setting : Setting.values()) {
      if (setting.options().contains(option)) {
        return setting;
      }
    }
    return null;
  }

  private static boolean isOption(String argument) {
    return argument.startsWith("-");
  }
}
