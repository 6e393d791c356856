package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.query.syntax.Subexpressions;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The group keys of a query with their slots, looked up for every expression that is selected. An
 * expression is printed and compared only if a key has as many parts: every level of a deep one
 * would otherwise print all that is below it.
 */
final class GroupedBy {
  /** Without keys; nothing is put into it. */
  static final GroupedBy NOTHING = new GroupedBy();

  private final Map<String, Integer> slots = new HashMap<>();
  private final BitSet sizes = new BitSet();

  void put(Expression key, int slot) {
    slots.put(SqlPrinter.key(key), slot);
    sizes.set(size(key, Integer.MAX_VALUE));
  }

  /** The slot of the same expression, however its paths are written; null when there is none. */
  @Nullable Integer slot(Expression expression) {
    return !sizes.isEmpty() && sizes.get(size(expression, sizes.length()))
        ? slots.get(SqlPrinter.key(expression))
        : null;
  }

  boolean has(Expression expression) {
    return slot(expression) != null;
  }

  /** The number of its parts; counting stops beyond {@code enough}. */
  private static int size(Expression expression, int enough) {
    int size = 1;
    for (Expression part : Subexpressions.of(expression)) {
      if (size > enough) {
        break;
      }
      size += size(part, enough - size);
    }
    return size;
  }
}
