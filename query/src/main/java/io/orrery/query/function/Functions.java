package io.orrery.query.function;

import io.orrery.operation.Keyword;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table of built-in functions, by family; names are compared without regard to case. */
public final class Functions {
  private static final Map<String, Function> TABLE =
      table(
          List.of(
              StringFunctions.ALL,
              SearchFunctions.ALL,
              ConversionFunctions.ALL,
              MathFunctions.ALL,
              IntegerFunctions.ALL,
              TypeFunctions.ALL,
              ArrayFunctions.ALL,
              SetFunctions.ALL,
              DateFunctions.ALL,
              SpatialFunctions.ALL,
              OtherFunctions.ALL,
              FullText.ALL));

  private Functions() {}

  public static @Nullable Function named(String name) {
    String upper = Keyword.upper(name);
    // Undocumented: the Java SDK writes it into the filter by which it resumes an ORDER BY.
    return TABLE.get(upper.equals("IS_BOOLEAN") ? "IS_BOOL" : upper);
  }

  /** Whether the same arguments give other values at another time. */
  public static boolean isVolatile(String name) {
    String upper = Keyword.upper(name);
    return upper.equals("RAND")
        || upper.equals("NOW")
        || upper.equals("AGO")
        || upper.startsWith("GETCURRENT");
  }

  /** Every name, in upper case; those that only query plans write start with an underscore. */
  public static Set<String> names() {
    return TABLE.keySet();
  }

  private static Map<String, Function> table(List<List<Function>> families) {
    Map<String, Function> table = new TreeMap<>();
    for (List<Function> family : families) {
      for (Function function : family) {
        if (table.put(function.name(), function) != null) {
          throw new IllegalStateException("function named twice: " + function.name());
        }
      }
    }
    return Map.copyOf(table);
  }
}
