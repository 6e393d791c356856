package io.orrery.query.index;

import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.QueryRefused;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the index that has the order of a query's rows. */
record Ordering(Meanings meanings, Lowering lowering, Filter filter) {
  private record Key(Place place, boolean descending) {}

  /**
   * The index to read, null when the rows must be sorted.
   *
   * @throws QueryRefused when there are several keys and no index for them
   */
  @Nullable OrderedScan scan(Query.OrderBy orderBy, Bindings bindings) {
    var keys = new ArrayList<Key>();
    for (Query.Key key : orderBy.keys()) {
      Place place = meanings.place(key.value(), bindings);
      if (place != null && place.path().isSingle()) {
        keys.add(new Key(place, key.direction() == Query.Direction.DESCENDING));
      }
    }
    if (keys.size() == orderBy.keys().size()) {
      OrderedScan scan = composite(keys);
      if (scan != null) {
        return scan;
      }
    }
    if (orderBy.keys().size() > 1) {
      throw QueryRefused.plain(
          "The order by query does not have a corresponding composite index that it can be served"
              + " from.");
    }
    return keys.isEmpty() ? null : single(keys.getFirst());
  }

  private @Nullable OrderedScan single(Key key) {
    IndexPath path = key.place.path();
    if (!lowering.usable().covers(path)) {
      return null;
    }
    Zone zone = filter.zone(key.place);
    return new OrderedScan(
        path,
        Lowering.stretches(path, zone.and(Zone.DEFINED)),
        key.descending,
        zone.hasUndefined(),
        1,
        rest(List.of(key.place)));
  }

  /** The longest one, which leaves the fewest entries to read. */
  private @Nullable OrderedScan composite(List<Key> keys) {
    CompositeIndex best = null;
    for (CompositeIndex index : lowering.usable().composites()) {
      if (fits(index, keys) && (best == null || index.keys().size() > best.keys().size())) {
        best = index;
      }
    }
    return best == null ? null : scan(best, keys);
  }

  /** Whether the index ends with the keys and the filter gives one value to each path before. */
  private boolean fits(CompositeIndex index, List<Key> keys) {
    int before = index.keys().size() - keys.size();
    if (before < 0) {
      return false;
    }
    boolean backward = isBackward(index, keys);
    for (int i = 0; i < keys.size(); i++) {
      CompositeIndex.Key indexed = index.keys().get(before + i);
      if (!indexed.path().equals(keys.get(i).place.path())
          || (indexed.descending() != keys.get(i).descending) != backward) {
        return false;
      }
    }
    return index.keys().stream()
        .limit(before)
        .map(key -> zone(key.path()))
        .allMatch(zone -> zone.isSinglePoint() && zone.isExactPoints());
  }

  private static boolean isBackward(CompositeIndex index, List<Key> keys) {
    int before = index.keys().size() - keys.size();
    return index.keys().get(before).descending() != keys.getFirst().descending;
  }

  private OrderedScan scan(CompositeIndex index, List<Key> keys) {
    CompositeZones zones = CompositeZones.of(index, this::zone);
    List<Place> served =
        index.keys().stream().limit(zones.used()).map(key -> place(key.path())).toList();
    return new OrderedScan(
        index, zones.stretches(), isBackward(index, keys), false, keys.size(), rest(served));
  }

  private Zone zone(IndexPath path) {
    return filter.zone(place(path));
  }

  private static Place place(IndexPath path) {
    Place place = Place.ITEM;
    for (String name : path.segments()) {
      place = place.member(name);
    }
    return place;
  }

  /** What the filter asks for beside the places that the stretches are about. */
  private Access rest(List<Place> served) {
    return lowering.access(
        Filter.all(filter.conjuncts().stream().filter(part -> !part.isOnlyAbout(served)).toList()));
  }
}
