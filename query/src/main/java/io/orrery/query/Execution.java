package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One run of a query over all items, in memory. */
final class Execution {
  private record Row(Value value, List<Value> keys) {}

  private final TopBlock top;
  private final Frame frame;
  private final List<Row> rows = new ArrayList<>();
  private final List<Ranking.Facts> facts = new ArrayList<>();
  private final Set<ValueKey> seen = new HashSet<>();

  /** Rows that suffice when they need no order; then the rest is not looked at. */
  private final long enough;

  private Execution(TopBlock top, Frame frame, long enough) {
    this.top = top;
    this.frame = frame;
    this.enough = enough;
  }

  static List<Value> run(Query query, TopBlock top, Iterable<Value> items, Frame frame) {
    Query.Top limit = query.select().top();
    Query.OffsetLimit window = query.offsetLimit();
    long offset = window == null ? 0 : count(window.offset(), frame.parameters);
    long most = limit == null ? Long.MAX_VALUE : count(limit.count(), frame.parameters);
    if (window != null) {
      most = Math.min(most, count(window.limit(), frame.parameters));
    }
    boolean anyOrder = top.order().isEmpty() && top.ranking() == null;
    long enough = anyOrder && most != Long.MAX_VALUE ? offset + most : Long.MAX_VALUE;
    Execution execution = new Execution(top, frame, enough);
    if (query.from() == null) {
      execution.bind(List.of(Value.UNDEFINED));
    } else {
      execution.bind(items);
    }
    return execution.sorted().stream().skip(offset).limit(most).toList();
  }

  private static long count(Expression expression, Parameters parameters) {
    Value value =
        switch (expression) {
          case Expression.Literal(var literal, _) -> literal;
          case Expression.Parameter(var name, _) -> parameters.value(name);
          default -> Value.UNDEFINED;
        };
    if (value instanceof Value.Num number
        && number.asDouble() == Math.rint(number.asDouble())
        && number.asDouble() >= 0) {
      return (long) number.asDouble();
    }
    throw new QueryRefused(
        "SC2060", "The count value provided for a TOP clause must be an integer.", expression.at());
  }

  private void bind(Iterable<Value> items) {
    Block block = top.block();
    if (enough == 0) {
      return;
    }
    TopBlock.Feed feed = top.feed();
    int slot = feed == null ? Frame.ITEM : feed.slot();
    Block.Groups groups = block.new Groups();
    for (Value item : feed == null ? items : all(feed.inner(), items)) {
      frame.inputs[slot] = feed == null ? item : Sizes.allow(item);
      boolean more = block.bind(frame, block.grouped() ? () -> groups.add(frame) : this::emit);
      if (!more) {
        return;
      }
    }
    if (block.grouped()) {
      groups.finish(frame, this::emit);
    }
  }

  private List<Value> all(TopBlock inner, Iterable<Value> items) {
    Execution execution = new Execution(inner, frame, Long.MAX_VALUE);
    execution.bind(items);
    return execution.sorted();
  }

  private boolean emit() {
    return top.block().project(frame, this::add);
  }

  private boolean add(Value row) {
    if (!top.block().distinct() || seen.add(new ValueKey(row))) {
      rows.add(new Row(row, top.order().stream().map(key -> key.value().run(frame)).toList()));
      if (top.ranking() != null) {
        facts.add(top.ranking().facts(frame));
      }
    }
    return rows.size() < enough;
  }

  private List<Value> sorted() {
    if (top.ranking() != null) {
      return top.ranking().order(facts).stream().map(row -> rows.get(row).value).toList();
    }
    if (!top.order().isEmpty()) {
      rows.sort(this::compare);
    }
    return rows.stream().map(Row::value).toList();
  }

  private int compare(Row left, Row right) {
    for (int i = 0; i < top.order().size(); i++) {
      int by = top.order().get(i).order().compare(left.keys.get(i), right.keys.get(i));
      if (by != 0) {
        return by;
      }
    }
    return 0;
  }
}
