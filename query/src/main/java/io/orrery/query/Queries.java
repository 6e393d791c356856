package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.query.syntax.SqlText;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The door of the room: text to a query that can run, remembered by its text. */
public final class Queries {
  private static final int CACHED_QUERIES = 1024;

  /** Longer texts are rare and generated; keeping them would cost more than compiling again. */
  private static final int CACHED_TEXT_CHARS = 16 * 1024;

  private static final Map<String, CompiledQuery> CACHE =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompiledQuery> eldest) {
          return size() > CACHED_QUERIES;
        }
      };

  private Queries() {}

  /**
   * Compiles a query.
   *
   * @throws QueryRefused with every reason why it cannot be answered
   */
  public static CompiledQuery compile(String text) {
    CompiledQuery known = cached(text);
    if (known != null) {
      return known;
    }
    CompiledQuery compiled = CompiledQuery.of(SqlText.parse(text));
    if (text.length() <= CACHED_TEXT_CHARS) {
      synchronized (CACHE) {
        CACHE.put(text, compiled);
      }
    }
    return compiled;
  }

  /**
   * The value of an expression that names no input, for planning.
   *
   * @throws QueryRefused when it does name one
   */
  public static Value constant(Expression expression, Parameters parameters) {
    Query query =
        new Query(
            new Query.Select(false, null, new Query.Selection.Only(expression)),
            null,
            null,
            List.of(),
            null,
            null);
    List<Value> rows = CompiledQuery.of(query).run(List.of(), parameters);
    return rows.isEmpty() ? Value.UNDEFINED : rows.getFirst();
  }

  private static @Nullable CompiledQuery cached(String text) {
    synchronized (CACHE) {
      return CACHE.get(text);
    }
  }
}
