package io.orrery.query;

import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.Functions;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Subexpressions;
import io.orrery.value.Value;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Properties that a container computes from each item: found by name, but no part of the item where
 * it is taken as a whole.
 */
public record ComputedProperties(Map<String, CompiledQuery> queries) {
  public static final ComputedProperties NONE = new ComputedProperties(Map.of());

  public Set<String> names() {
    return queries.keySet();
  }

  /** Why a query cannot define a property, as {@code without …}; null when it can. */
  public static @Nullable String problem(Query query) {
    if (!(query.select().selection() instanceof Query.Selection.Only(var value))
        || query.select().distinct()
        || query.select().top() != null
        || query.orderBy() != null
        || query.offsetLimit() != null) {
      return "without DISTINCT, TOP, ORDER BY and OFFSET";
    }
    Query.From from = query.from();
    if (from == null
        || from.sources().size() != 1
        || !(from.sources().getFirst()
            instanceof Query.Source.Whole(Query.Collection.Path(_, var steps, _, _), _, _))
        || !steps.isEmpty()) {
      return "without JOIN, and with the item as its only input";
    }
    return query.where() != null || !query.groupBy().isEmpty()
        ? "without WHERE and GROUP BY"
        : problem(value);
  }

  private static @Nullable String problem(Expression expression) {
    if (expression instanceof Expression.Subquery) {
      return "without subqueries";
    }
    if (expression instanceof Expression.Call call) {
      if (call.udf()) {
        return "without user defined functions";
      }
      if (AggregateKind.of(call) != null) {
        return "without aggregates";
      }
      if (Functions.isVolatile(call.name())) {
        return "without functions of time and chance";
      }
    }
    for (Expression part : Subexpressions.of(expression)) {
      String problem = problem(part);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  Value over(Value item, Frame frame) {
    return queries.isEmpty() || !(item instanceof Value.Obj object)
        ? item
        : new Value.Obj(new Members(object, queries, frame));
  }

  /** The item itself where a row is the item with its computed properties. */
  static Value without(Value row) {
    return row instanceof Value.Obj(Members members) ? members.item : row;
  }

  static boolean isOver(Value value) {
    return value instanceof Value.Obj(Members _);
  }

  private static final class Members extends AbstractMap<String, Value> {
    private final Value.Obj item;
    private final Map<String, CompiledQuery> queries;
    private final Frame frame;

    Members(Value.Obj item, Map<String, CompiledQuery> queries, Frame frame) {
      this.item = item;
      this.queries = queries;
      this.frame = frame;
    }

    @Override
    public @Nullable Value get(Object name) {
      CompiledQuery query = queries.get(name);
      if (query == null) {
        return item.members().get(name);
      }
      Value found = query.first(item, frame);
      return found instanceof Value.Undefined ? null : found;
    }

    @Override
    public Value getOrDefault(Object name, Value otherwise) {
      Value found = get(name);
      return found == null ? otherwise : found;
    }

    @Override
    public boolean containsKey(Object name) {
      return get(name) != null;
    }

    @Override
    public int size() {
      return item.members().size();
    }

    @Override
    public Set<Map.Entry<String, Value>> entrySet() {
      return item.members().entrySet();
    }
  }
}
