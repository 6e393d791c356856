package io.orrery.query.syntax;

import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query cannot be answered as it is written; the wire makes a 400 of it. */
public final class QueryRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<QueryError> errors;

  public QueryRefused(List<QueryError> errors) {
    super("query refused: " + errors, null, false, false);
    this.errors = List.copyOf(errors);
  }

  public QueryRefused(@Nullable String code, String message, @Nullable Span at) {
    this(List.of(new QueryError(code, message, at)));
  }

  /** Refused for a reason that the service gives as bare text. */
  public static QueryRefused plain(String message) {
    return new QueryRefused(null, message, null);
  }

  public List<QueryError> errors() {
    return errors;
  }

  /** What the service puts behind {@code Message: }, see the cases of the error data. */
  public Value body() {
    if (errors.stream().allMatch(error -> error.code() == null)) {
      List<Value> texts = errors.stream().map(error -> Value.of(error.message())).toList();
      return new Value.Obj(Map.of("Errors", new Value.Arr(texts)));
    }
    return new Value.Obj(
        Map.of("errors", new Value.Arr(errors.stream().map(QueryError::asValue).toList())));
  }
}
