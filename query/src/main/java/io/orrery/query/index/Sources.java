package io.orrery.query.index;

import io.orrery.query.ItemNames;
import io.orrery.query.function.AggregateKind;
import io.orrery.query.index.Bindings.Meaning;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Query.Collection;
import io.orrery.query.syntax.Query.Source;
import io.orrery.query.syntax.Subexpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What an item must have so that a query has rows over it, and what its inputs are. */
final class Sources {
  /** The names of a query and the condition of its rows. */
  record Rows(Bindings bindings, Filter filter) {}

  private final Meanings meanings;
  private final Conditions conditions;

  Sources(Meanings meanings, Conditions conditions) {
    this.meanings = meanings;
    this.conditions = conditions;
  }

  /** The rows of a query, at the top or nested in one that has the outer bindings. */
  Rows rows(Query query, @Nullable Bindings outer) {
    var bindings = new Bindings(outer);
    var filters = new ArrayList<Filter>();
    Query.From from = query.from();
    if (from != null) {
      for (int i = 0; i < from.sources().size(); i++) {
        filters.add(source(from.sources().get(i), bindings, outer == null && i == 0));
      }
    }
    Expression where = query.where();
    if (where != null) {
      filters.add(conditions.when(where, true, bindings));
    }
    return new Rows(bindings, Filter.all(filters));
  }

  /** Declares an input and says what it needs. */
  private Filter source(Source source, Bindings bindings, boolean overAllItems) {
    var filters = new ArrayList<Filter>();
    Meaning whole =
        switch (source.collection()) {
          case Collection.Path path -> path(path, bindings);
          case Collection.Nested(var query, _) -> {
            Rows rows = rows(query, overAllItems ? null : bindings);
            // An aggregate has a row even over nothing; over all items, it still needs no others.
            if (overAllItems || !query.groupBy().isEmpty() || !isAggregate(query)) {
              filters.add(rows.filter);
            }
            yield isGrouped(query) ? Bindings.UNKNOWN : selected(query, rows.bindings);
          }
        };
    switch (source) {
      case Source.Whole(var collection, var alias, _) -> {
        if (whole instanceof Meaning.Located(var place)
            && collection instanceof Collection.Path path
            && !path.steps().isEmpty()) {
          filters.add(Filter.at(place, Zone.DEFINED));
        }
        bindings.declare(alias == null ? lastName(collection) : alias, whole);
      }
      case Source.Each(_, var alias, _) -> {
        Meaning each = Bindings.UNKNOWN;
        if (whole instanceof Meaning.Located(var place)) {
          Place element = place.element();
          filters.add(Filter.at(element, Zone.DEFINED));
          each = new Meaning.Located(element);
        }
        bindings.declare(alias, each);
      }
    }
    return Filter.all(filters);
  }

  private Meaning path(Collection.Path path, Bindings bindings) {
    Meaning meaning = bindings.find(path.root());
    if (meaning == null) {
      meaning = new Meaning.Located(Place.ITEM);
    } else if (meaning instanceof Meaning.Written(var expression, var written)) {
      meaning = meanings.of(expression, written);
    }
    for (Query.Step step : path.steps()) {
      meaning =
          switch (step) {
            case Query.Step.Name(var name, _) -> meanings.member(meaning, name);
            case Query.Step.Position(long index) -> Meanings.element(meaning, (double) index);
          };
    }
    return meaning;
  }

  private static @Nullable String lastName(Collection collection) {
    return switch (collection) {
      case Collection.Nested _ -> null;
      case Collection.Path(var root, var steps, _, _) -> {
        if (steps.isEmpty()) {
          yield root;
        }
        yield steps.getLast() instanceof Query.Step.Name(var name, _) ? name : null;
      }
    };
  }

  private static Meaning selected(Query query, Bindings bindings) {
    return switch (query.select().selection()) {
      case Query.Selection.Star _ -> bindings.last();
      case Query.Selection.Only(var value) -> new Meaning.Written(value, bindings);
      case Query.Selection.Items(var items) -> {
        String[] names = ItemNames.of(items);
        List<Expression.Member> members =
            IntStream.range(0, names.length)
                .mapToObj(i -> new Expression.Member(names[i], items.get(i).value()))
                .toList();
        Expression object = new Expression.ObjectOf(members, items.getFirst().value().at());
        yield new Meaning.Written(object, bindings);
      }
    };
  }

  static boolean isGrouped(Query query) {
    return !query.groupBy().isEmpty() || isAggregate(query);
  }

  /** Whether what it selects is computed from many rows. */
  static boolean isAggregate(Query query) {
    return switch (query.select().selection()) {
      case Query.Selection.Star _ -> false;
      case Query.Selection.Only(var value) -> hasAggregate(value);
      case Query.Selection.Items(var items) ->
          items.stream().anyMatch(item -> hasAggregate(item.value()));
    };
  }

  private static boolean hasAggregate(Expression expression) {
    return (expression instanceof Expression.Call(var name, var udf, _, _, _)
            && !udf
            && AggregateKind.named(name) != null)
        || Subexpressions.of(expression).stream().anyMatch(Sources::hasAggregate);
  }
}
