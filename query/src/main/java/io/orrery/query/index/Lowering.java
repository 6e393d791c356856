package io.orrery.query.index;

import io.orrery.operation.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    for (Filter part : left) {
      if (all.size() == PARTS_MAX) {
        break;
      }
      if (!isImplied(part, left)) {
        Access access = access(part);
        if (!access.equals(EVERYTHING)) {
          all.add(access);
        }
      }
    }
    return all.isEmpty() ? EVERYTHING : all.size() == 1 ? all.getFirst() : new Access.All(all);
  }

  /** Whether a part says no more than that there is a way to where another part finds a value. */
  private boolean isImplied(Filter part, List<Filter> parts) {
    return part instanceof Filter.At(var place, var zone)
        && parts.stream()
            .anyMatch(
                other ->
                    other instanceof Filter.At(var deeper, var values)
                        && !values.hasUndefined()
                        && usable.covers(deeper.path())
                        && place.leadsTo(deeper, zone));
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
