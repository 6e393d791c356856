package io.orrery.query;

import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Query.Step;
import io.orrery.value.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the names of a query stand for, and which expressions are paths into the document. */
final class Names {
  /** The source behind a name, and the names that the source itself sees. */
  private record Binding(Query.Source source, Names seen) {}

  private final @Nullable Names outer;
  private final Map<String, Binding> bindings = new LinkedHashMap<>();
  private @Nullable Binding only;

  Names(@Nullable Names outer) {
    this.outer = outer;
  }

  /** False when the alias is taken already. */
  boolean declare(Query.Source source, Names seen) {
    Binding binding = new Binding(source, seen);
    only = binding;
    String alias = alias(source);
    return alias == null || bindings.put(alias, binding) == null;
  }

  static @Nullable String alias(Query.Source source) {
    return switch (source) {
      case Query.Source.Each(_, var alias, _) -> alias;
      case Query.Source.Whole(var collection, var alias, _) -> {
        if (alias != null) {
          yield alias;
        }
        yield switch (collection) {
          case Query.Collection.Nested _ -> null;
          case Query.Collection.Path(var root, var steps, _, _) ->
              steps.isEmpty()
                  ? root
                  : steps.getLast() instanceof Step.Name(var name, _) ? name : null;
        };
      }
    };
  }

  boolean knows(String name) {
    return bindings.containsKey(name) || (outer != null && outer.knows(name));
  }

  boolean isOwn(String name) {
    return bindings.containsKey(name);
  }

  boolean isEmpty() {
    return bindings.isEmpty() && (outer == null || outer.isEmpty());
  }

  /** Whether the expression is, possibly through nested queries, a path into the document. */
  boolean isDocumentPath(Expression expression) {
    return isDocumentPath(expression, new ArrayDeque<>());
  }

  private boolean isDocumentPath(Expression expression, Deque<String> steps) {
    return switch (expression) {
      case Expression.Property(var of, var name, _, _) -> {
        steps.push(name);
        yield isDocumentPath(of, steps);
      }
      case Expression.Indexed(var of, Expression.Literal(Value.Num number, _), _) -> {
        steps.push("[" + (long) number.asDouble() + "]");
        yield isDocumentPath(of, steps);
      }
      // Which member a parameter names is known only when the query runs.
      case Expression.Indexed(var of, Expression.Parameter(var name, _), _) -> {
        steps.push(name);
        yield isDocumentPath(of, steps);
      }
      case Expression.Reference(var name, _) -> isDocumentPath(binding(name), steps);
      case Expression.ObjectOf(var members, _) -> {
        String first = steps.poll();
        // Only the last member of the name: all of them would double the work with each level.
        yield members.reversed().stream()
            .filter(member -> member.name().equals(first))
            .findFirst()
            .map(member -> isDocumentPath(member.value(), steps))
            .orElse(false);
      }
      default -> false;
    };
  }

  private static String step(Step step) {
    return switch (step) {
      case Step.Name(var name, _) -> name;
      case Step.Position(long index) -> "[" + index + "]";
    };
  }

  private @Nullable Binding binding(String name) {
    Binding own = bindings.get(name);
    return own != null || outer == null ? own : outer.binding(name);
  }

  private static boolean isDocumentPath(@Nullable Binding binding, Deque<String> steps) {
    if (binding == null) {
      return false;
    }
    return switch (binding.source.collection()) {
      case Query.Collection.Path(var root, var path, _, _) -> {
        path.reversed().forEach(step -> steps.push(step(step)));
        Binding before = binding.seen.binding(root);
        yield before == null || isDocumentPath(before, steps);
      }
      case Query.Collection.Nested(var query, _) ->
          isDocumentPath(query, binding.seen.inside(query), steps);
    };
  }

  private static boolean isDocumentPath(Query query, Names inside, Deque<String> steps) {
    return switch (query.select().selection()) {
      case Query.Selection.Only(var value) -> inside.isDocumentPath(value, steps);
      case Query.Selection.Star _ -> isDocumentPath(inside.only, steps);
      case Query.Selection.Items(var items) -> {
        String first = steps.poll();
        List<String> names = List.of(ItemNames.of(items));
        yield first != null
            && names.contains(first)
            && inside.isDocumentPath(items.get(names.indexOf(first)).value(), steps);
      }
    };
  }

  /** The names as the inside of a query nested here sees them. */
  Names inside(Query query) {
    Names names = new Names(this);
    Query.From from = query.from();
    if (from != null) {
      for (Query.Source source : from.sources()) {
        Names before = names.copy();
        names.declare(source, before);
      }
    }
    return names;
  }

  /** What is declared so far, unmoved by later declarations. */
  Names copy() {
    Names copy = new Names(outer);
    copy.bindings.putAll(bindings);
    copy.only = only;
    return copy;
  }
}
