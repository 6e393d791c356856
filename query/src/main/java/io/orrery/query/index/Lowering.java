package io.orrery.query.index;

import io.orrery.operation.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conditions to what the usable indexes can say of them. */
record Lowering(UsableIndexes usable) {
  /** More conditions than these narrow little more: they are left to the items. */
  private static final int PARTS_MAX = 64;

  private static final Access EVERYTHING = new Access.Everything();
  private static final Access NOTHING = new Access.Nothing();

  Access access(Filter filter) {
    return switch (filter) {
      case Filter.Always _ -> EVERYTHING;
      case Filter.Never _ -> NOTHING;
      case Filter.At(var place, var zone) -> at(place, zone);
      case Filter.Every(var parts) -> every(parts);
      case Filter.Some(var parts) -> {
        List<Access> any = parts.stream().map(this::access).toList();
        yield any.contains(EVERYTHING) ? EVERYTHING : new Access.Any(any);
      }
    };
  }

  private Access at(Place place, Zone zone) {
    IndexPath path = place.path();
    if (!usable.covers(path)) {
      return EVERYTHING;
    }
    if (!zone.hasUndefined()) {
      return new Access.Lookup(path, stretches(path, zone));
    }
    if (!path.isSingle()) {
      return EVERYTHING; // another element may have what this one lacks
    }
    Zone defined = zone.and(Zone.DEFINED);
    Access missing = new Access.Missing(path);
    return defined.isEmpty()
        ? missing
        : new Access.Any(List.of(missing, new Access.Lookup(path, stretches(path, defined))));
  }

  private Access every(List<Filter> parts) {
    var left = new ArrayList<>(parts);
    var all = new ArrayList<Access>();
    CompositeZones composite = composite(left);
    if (composite != null) {
      all.add(new Access.Lookup(composite.index(), composite.stretches()));
      List<IndexPath> served =
          composite.index().keys().stream()
              .limit(composite.used())
              .map(CompositeIndex.Key::path)
              .toList();
      left.removeIf(
          part -> part instanceof Filter.At(var place, _) && served.contains(place.path()));
    }
    Set<Holder> holders = holders(left);
    for (Filter part : left) {
      if (all.size() == PARTS_MAX) {
        break;
      }
      if (!isImplied(part, holders)) {
        Access access = access(part);
        if (!access.equals(EVERYTHING)) {
          all.add(access);
        }
      }
    }
    return all.isEmpty() ? EVERYTHING : all.size() == 1 ? all.getFirst() : new Access.All(all);
  }

  /**
   * An object or array that a place lies in.
   *
   * @param steps the way to it
   */
  private record Holder(List<Place.Step> steps, boolean isObject) {}

  /** The objects and arrays that must exist so that the parts find their values. */
  private Set<Holder> holders(List<Filter> parts) {
    Set<Holder> holders = new HashSet<>();
    for (Filter part : parts) {
      if (part instanceof Filter.At(var place, var values)
          && usable.covers(place.path())
          && !values.hasUndefined()) {
        for (int i = 0; i < place.steps().size(); i++) {
          boolean isObject = place.steps().get(i) instanceof Place.Step.Name;
          holders.add(new Holder(place.steps().subList(0, i), isObject));
        }
      }
    }
    return holders;
  }

  /** Whether a part says no more than that there is a way to where another part finds a value. */
  private static boolean isImplied(Filter part, Set<Holder> holders) {
    return part instanceof Filter.At(var place, var zone)
        && ((holders.contains(new Holder(place.steps(), true)) && zone.contains(Zone.ANY_OBJECT))
            || (holders.contains(new Holder(place.steps(), false))
                && zone.contains(Zone.ANY_ARRAY)));
  }

  /** The composite index that serves most of the parts, two at least. */
  private @Nullable CompositeZones composite(List<Filter> parts) {
    Map<IndexPath, Zone> zones = new HashMap<>();
    for (Filter part : parts) {
      if (part instanceof Filter.At(var place, var zone) && place.path().isSingle()) {
        zones.put(place.path(), zone);
      }
    }
    CompositeZones best = null;
    for (CompositeIndex index : usable.composites()) {
      CompositeZones found = CompositeZones.of(index, path -> zones.getOrDefault(path, Zone.ANY));
      if (found.used() > (best == null ? 1 : best.used())) {
        best = found;
      }
    }
    return best;
  }

  static List<Stretch> stretches(IndexPath path, Zone zone) {
    byte[] hash = TermEncoding.prefix(path);
    return zone.intervals().stream().map(interval -> stretch(hash, interval)).toList();
  }

  private static Stretch stretch(byte[] hash, Zone.Interval interval) {
    Bytes from = Bytes.of(new TermWriter().raw(hash).raw(interval.from().array()).done());
    return interval.point()
        ? new Stretch.Point(from)
        : new Stretch.Range(
            from, Bytes.of(new TermWriter().raw(hash).raw(interval.to().array()).done()));
  }
}
