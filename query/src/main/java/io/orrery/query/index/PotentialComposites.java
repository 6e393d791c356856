package io.orrery.query.index;

import io.orrery.query.syntax.Query;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Composite indexes that would serve a query better; the service's baselines show which. */
record PotentialComposites(Filter filter, List<Place> order) {
  /** A composite index has at most so many paths. */
  private static final int PATHS_MAX = 8;

  private static final int REPORTED_MAX = 100;

  Set<CompositeIndex> of(Query query, Meanings meanings, Bindings bindings) {
    var equal = new ArrayList<IndexPath>();
    var ranges = new ArrayList<IndexPath>();
    for (Filter part : filter.conjuncts()) {
      if (part instanceof Filter.At(var place, var zone)
          && place.path().isSingle()
          && !SystemPaths.isUnindexed(place.path())) {
        (zone.isPoints() ? equal : ranges).add(place.path());
      }
    }
    Set<CompositeIndex> found = new LinkedHashSet<>();
    Query.OrderBy orderBy = query.orderBy();
    if (!equal.isEmpty() && equal.size() < PATHS_MAX) {
      ranges.stream()
          .limit(REPORTED_MAX)
          .filter(range -> order.stream().noneMatch(place -> place.path().equals(range)))
          .forEach(range -> found.add(ascending(equal, range)));
      if (orderBy != null && !order.isEmpty() && order.size() == orderBy.keys().size()) {
        add(found, behind(equal, orderBy));
      }
    }
    List<IndexPath> groups =
        IndexUse.places(query.groupBy(), meanings, bindings).stream().map(Place::path).toList();
    if (groups.size() > 1 && groups.size() == query.groupBy().size() && equal.containsAll(groups)) {
      add(found, groups.stream().map(path -> new CompositeIndex.Key(path, false)).toList());
    }
    return found;
  }

  private static void add(Set<CompositeIndex> found, List<CompositeIndex.Key> keys) {
    if (keys.size() > 1) {
      found.add(new CompositeIndex(keys));
    }
  }

  private static CompositeIndex ascending(List<IndexPath> equal, IndexPath range) {
    var keys = new ArrayList<CompositeIndex.Key>();
    equal.forEach(path -> keys.add(new CompositeIndex.Key(path, false)));
    keys.add(new CompositeIndex.Key(range, false));
    return new CompositeIndex(keys);
  }

  /** The order behind the paths that have one value; those among its keys need no place of it. */
  private List<CompositeIndex.Key> behind(List<IndexPath> equal, Query.OrderBy orderBy) {
    var keys = new ArrayList<CompositeIndex.Key>();
    equal.forEach(path -> keys.add(new CompositeIndex.Key(path, false)));
    for (int i = 0; i < order.size(); i++) {
      IndexPath path = order.get(i).path();
      if (!equal.contains(path)) {
        boolean down = orderBy.keys().get(i).direction() == Query.Direction.DESCENDING;
        keys.add(new CompositeIndex.Key(path, down));
      }
    }
    return keys.size() > equal.size() ? keys : List.of();
  }
}
