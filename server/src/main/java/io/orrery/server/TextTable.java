package io.orrery.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of cells under headings, in columns as wide as they need to be. */
final class TextTable {
  private static final String GAP = "  ";
  private static final int BAR_WIDTH = 12;
  private static final long KILO = 1024;

  /** Beside a heading: its column is set to the right. */
  private static final String RIGHT = ">";

  private final List<List<String>> rows = new ArrayList<>();
  private final List<Boolean> right = new ArrayList<>();

  /** Headings that begin with {@code >} set their column to the right. */
  TextTable(String... headings) {
    var row = new ArrayList<String>();
    for (String heading : headings) {
      boolean toTheRight = heading.startsWith(RIGHT);
      right.add(toTheRight);
      row.add(toTheRight ? heading.substring(1) : heading);
    }
    rows.add(row);
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** A part of a whole as a bar. */
  static String bar(double part, double whole) {
    int filled = whole <= 0 ? 0 : (int) Math.round(Math.min(1, part / whole) * BAR_WIDTH);
    // Little is not nothing.
    int shown = part > 0 ? Math.max(1, filled) : 0;
    return "#".repeat(shown) + ".".repeat(BAR_WIDTH - shown);
  }

  static String count(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  static String bytes(double bytes) {
    if (bytes < KILO) {
      return count(bytes) + " B";
    }
    double shown = bytes;
    int unit = -1;
    while (shown >= KILO && unit < 3) {
      shown /= KILO;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %cB", shown, "KMGT".charAt(unit));
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        String space = " ".repeat(widthOf(column) - cell.length());
        line.append(column == 0 ? "" : GAP).append(right.get(column) ? space + cell : cell + space);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int widthOf(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
