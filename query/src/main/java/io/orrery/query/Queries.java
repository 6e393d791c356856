package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlText;
import io.orrery.value.Value;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The door of the room: text to a query that can run, remembered by its text. */
public final class Queries {
  /** A compiled query takes some thirty times the memory of its text. */
  private static final int CACHED_CHARS = 1 << 20;

  /** Longer texts are rare and generated; keeping them would push out many others. */
  private static final int CACHED_TEXT_CHARS = 16 * 1024;

  /** Least recently used first; guarded by itself, as is the sum of the lengths of its keys. */
  private static final Map<String, CompiledQuery> CACHE = new LinkedHashMap<>(64, 0.75f, true);

  private static int cachedChars;

  private Queries() {}

  /**
   * Compiles a query.
   *
   * @throws QueryRefused with every reason why it cannot be answered
   */
  public static CompiledQuery compile(String text) {
    return compile(text, VectorPolicy.NONE);
  }

  /** Compiles a query over a container whose vectors have functions of their own. */
  public static CompiledQuery compile(String text, VectorPolicy vectors) {
    String key = vectors.functions().isEmpty() ? text : vectors.functions() + text;
    CompiledQuery known = cached(key);
    if (known != null) {
      return known;
    }
    CompiledQuery compiled = CompiledQuery.of(SqlText.parse(text), vectors);
    if (key.length() <= CACHED_TEXT_CHARS) {
      remember(key, compiled);
    }
    return compiled;
  }

  private static void remember(String text, CompiledQuery compiled) {
    synchronized (CACHE) {
      if (CACHE.put(text, compiled) == null) {
        cachedChars += text.length();
      }
      Iterator<String> eldest = CACHE.keySet().iterator();
      while (cachedChars > CACHED_CHARS) {
        cachedChars -= eldest.next().length();
        eldest.remove();
      }
    }
  }

  /**
   * The value of an expression that names no input, for planning. Plans keep what they were made
   * of, so a computed value stays drawn until the budget is closed.
   *
   * @throws QueryRefused when it does name one, or exceeds the budget
   */
  public static Value constant(Expression expression, Parameters parameters) {
    return switch (expression) {
      case Expression.Literal(var value, _) -> value;
      case Expression.Parameter(var name, _) -> parameters.value(name);
      default -> computed(expression, parameters);
    };
  }

  private static Value computed(Expression expression, Parameters parameters) {
    Query query =
        new Query(
            new Query.Select(false, null, new Query.Selection.Only(expression)),
            null,
            null,
            List.of(),
            null,
            null);
    List<Value> rows = CompiledQuery.of(query).run(List.of(), parameters);
    if (rows.isEmpty()) {
      return Value.UNDEFINED;
    }
    parameters.budget().take(Sizes.memoryBytes(rows.getFirst()));
    return rows.getFirst();
  }

  private static @Nullable CompiledQuery cached(String text) {
    synchronized (CACHE) {
      return CACHE.get(text);
    }
  }
}
