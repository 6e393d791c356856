package io.orrery.query.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One SELECT, at the top or nested. */
public record Query(
    Select select,
    @Nullable From from,
    @Nullable Expression where,
    List<Expression> groupBy,
    @Nullable OrderBy orderBy,
    @Nullable OffsetLimit offsetLimit) {

  /** What a query returns of each row. */
  public record Select(boolean distinct, @Nullable Top top, Selection selection) {}

  /** At most so many rows; the count is a literal or a parameter. */
  public record Top(Expression count, Span at) {}

  /** The form of the rows. */
  public sealed interface Selection {
    /** The only input as it is. */
    record Star(Span at) implements Selection {}

    /** The value itself. */
    record Only(Expression value) implements Selection {}

    /** An object with a member per item. */
    record Items(List<Item> items) implements Selection {}
  }

  /** One member of the selected object. */
  public record Item(Expression value, @Nullable String alias) {}

  /** The inputs; each may refer to those before it. */
  public record From(List<Source> sources, Span at) {}

  /** One input. */
  public sealed interface Source {
    Collection collection();

    Span at();

    /** The value of a path, or every row of a subquery. */
    record Whole(Collection collection, @Nullable String alias, Span at) implements Source {}

    /** Every element of an array. */
    record Each(Collection collection, String alias, Span at) implements Source {}
  }

  /** Where an input comes from. */
  public sealed interface Collection {
    Span at();

    /** The container or an earlier input, and a path into it. */
    record Path(String root, List<Step> steps, Span rootAt, Span at) implements Collection {}

    /** Rows of a nested query. */
    record Nested(Query query, Span at) implements Collection {}
  }

  /** One step of a path. */
  public sealed interface Step {
    /** A member of an object. */
    record Name(String name, boolean bracketed) implements Step {}

    /** An element of an array. */
    record Position(long index) implements Step {}
  }

  /** The order of the rows, by value or by rank of a scoring function. */
  public record OrderBy(boolean rank, List<Key> keys, Span at) {}

  /** One sort key. */
  public record Key(Expression value, Direction direction) {}

  /** Ascending unless said otherwise; what was said is kept for printing. */
  public enum Direction {
    UNSAID,
    ASCENDING,
    DESCENDING
  }

  /** A window over the rows; both counts are literals or parameters. */
  public record OffsetLimit(Expression offset, Expression limit, Span at) {}
}
