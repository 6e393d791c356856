package io.orrery.query.index;

import io.orrery.query.Parameters;
import io.orrery.query.index.Bindings.Meaning;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.SqlPrinter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which indexes served a query and which others would have, as clients are told who ask for it.
 *
 * @param utilized paths of the filter that are indexed
 * @param potential paths of the filter that are not
 */
public record IndexUse(
    List<Single> utilized,
    List<Single> potential,
    List<CompositeIndex> utilizedComposites,
    List<CompositeIndex> potentialComposites) {

  /** Further paths are left out: the metrics go into a header. */
  private static final int REPORTED_MAX = 100;

  private static final int CONDITION_CHARS_MAX = 1_000;

  /** A path and the first condition that asks for it. */
  public record Single(IndexPath path, String condition, boolean precise) {}

  static IndexUse of(
      Query query, Parameters parameters, UsableIndexes usable, List<CompositeIndex> composites) {
    Map<IndexPath, Single> asked = new LinkedHashMap<>();
    Conditions conditions =
        new Conditions(parameters, (condition, filter) -> collect(condition, filter, asked));
    Sources.Rows rows = conditions.sources().rows(query, null);
    calls(query).forEach(call -> conditions.when(call, true, rows.bindings()));
    List<Place> order = order(query, conditions.meanings(), rows.bindings());
    composites.forEach(index -> index.keys().forEach(key -> asked.remove(key.path())));
    for (Place place : order) {
      // The order is read from the index, a range of its path with it; that is not told.
      if (!rows.filter().zone(place).isPoints()) {
        asked.remove(place.path());
      }
    }
    return new IndexUse(
        asked.values().stream().filter(single -> usable.covers(single.path)).toList(),
        asked.values().stream().filter(single -> !usable.covers(single.path)).toList(),
        composites,
        new PotentialComposites(rows.filter(), order)
            .of(query, conditions.meanings(), rows.bindings()).stream()
                .filter(index -> !usable.composites().contains(index))
                .toList());
  }

  private static void collect(Expression condition, Filter filter, Map<IndexPath, Single> asked) {
    switch (filter) {
      case Filter.At(var place, var zone) -> {
        if (asked.size() < REPORTED_MAX && !SystemPaths.isUnindexed(place.path())) {
          asked.computeIfAbsent(
              place.path(),
              path -> new Single(path, shortened(condition), !zone.equals(Zone.STRINGS)));
        }
      }
      case Filter.Every(var parts) -> parts.forEach(part -> collect(condition, part, asked));
      case Filter.Some(var parts) -> parts.forEach(part -> collect(condition, part, asked));
      case Filter.Always _, Filter.Never _ -> {}
    }
  }

  private static String shortened(Expression condition) {
    String text = SqlPrinter.print(condition);
    return text.length() <= CONDITION_CHARS_MAX ? text : text.substring(0, CONDITION_CHARS_MAX);
  }

  /** Functions among what is selected count as uses of the index, too. */
  private static List<Expression> calls(Query query) {
    List<Expression> selected =
        switch (query.select().selection()) {
          case Query.Selection.Star _ -> List.of();
          case Query.Selection.Only(var value) -> List.of(value);
          case Query.Selection.Items(var items) -> items.stream().map(Query.Item::value).toList();
        };
    return selected.stream().filter(value -> value instanceof Expression.Call).toList();
  }

  private static List<Place> order(Query query, Meanings meanings, Bindings bindings) {
    Query.OrderBy orderBy = query.orderBy();
    return orderBy == null || orderBy.rank()
        ? List.of()
        : places(orderBy.keys().stream().map(Query.Key::value).toList(), meanings, bindings);
  }

  static List<Place> places(List<Expression> paths, Meanings meanings, Bindings bindings) {
    var places = new ArrayList<Place>();
    for (Expression path : paths) {
      if (meanings.of(path, bindings) instanceof Meaning.Located(var place)) {
        places.add(place);
      }
    }
    return places;
  }

  /** The composite indexes that a plan reads. */
  static List<CompositeIndex> composites(AccessPlan plan) {
    Set<CompositeIndex> found = new LinkedHashSet<>();
    OrderedScan order = plan.order();
    if (order == null) {
      collect(plan.access(), found);
    } else {
      collect(order.filter(), found);
      if (order.index() instanceof CompositeIndex index) {
        found.add(index);
      }
    }
    return List.copyOf(found);
  }

  private static void collect(Access access, Set<CompositeIndex> found) {
    switch (access) {
      case Access.Lookup(CompositeIndex index, _) -> found.add(index);
      case Access.All(var parts) -> parts.forEach(part -> collect(part, found));
      case Access.Any(var parts) -> parts.forEach(part -> collect(part, found));
      case Access.Lookup _, Access.Missing _, Access.Everything _, Access.Nothing _ -> {}
    }
  }
}
