package io.orrery.query.syntax;

import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query that is refused: as it is written (400), out of time (408), or for want of memory (503).
 */
public final class QueryRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What stands in the way. */
  public enum Kind {
    /** The query itself, or what it would build of these items. */
    QUERY,
    /** Its time is over, or its client has gone. */
    OUT_OF_TIME,
    /** Other queries hold the memory that it needs; later there may be some. */
    BUSY
  }

  private final transient List<QueryError> errors;
  private final Kind kind;

  public QueryRefused(List<QueryError> errors) {
    this(errors, Kind.QUERY);
  }

  private QueryRefused(List<QueryError> errors, Kind kind) {
    super("query refused: " + errors, null, false, false);
    this.errors = List.copyOf(errors);
    this.kind = kind;
  }

  public QueryRefused(@Nullable String code, String message, @Nullable Span at) {
    this(List.of(new QueryError(code, message, at)));
  }

  /** Refused for a reason that the service gives as bare text. */
  public static QueryRefused plain(String message) {
    return new QueryRefused(null, message, null);
  }

  public static QueryRefused outOfTime() {
    return of(
        Kind.OUT_OF_TIME,
        "The query ran out of time. Filter by partition key or by indexed properties, or select,"
            + " join and group less.");
  }

  public static QueryRefused busy() {
    return of(
        Kind.BUSY,
        "Other queries hold the memory that the server has for queries, nothing was done."
            + " Try again later.");
  }

  private static QueryRefused of(Kind kind, String message) {
    return new QueryRefused(List.of(new QueryError(null, message, null)), kind);
  }

  public Kind kind() {
    return kind;
  }

  /** The message of the first error, for answers that have one only. */
  public String message() {
    return errors.getFirst().message();
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
