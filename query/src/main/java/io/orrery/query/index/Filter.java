package io.orrery.query.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an item must have somewhere for a condition to hold; it may have it and still not hold. */
sealed interface Filter {
  /**
   * Thousands of conditions on one place make zones of thousands of intervals; beyond this, further
   * ones are left to the items.
   */
  long NARROWING_INTERVALS = 1_000_000;

  /** No condition is known. */
  record Always() implements Filter {}

  /** Holds for no item. */
  record Never() implements Filter {}

  /** A value of the zone at a place. */
  record At(Place place, Zone zone) implements Filter {}

  /** Each of two and more. */
  record Every(List<Filter> parts) implements Filter {}

  /** Any of two and more. */
  record Some(List<Filter> parts) implements Filter {}

  static Filter always() {
    return new Always();
  }

  static Filter never() {
    return new Never();
  }

  static Filter at(Place place, Zone zone) {
    if (zone.isEmpty()) {
      return never();
    }
    return zone.equals(Zone.ANY) ? always() : new At(place, zone);
  }

  static Filter all(List<Filter> parts) {
    var flat = new ArrayList<Filter>();
    for (Filter part : parts) {
      switch (part) {
        case Always _ -> {}
        case Never _ -> {
          return never();
        }
        case Every(var inner) -> flat.addAll(inner);
        case At _, Some _ -> flat.add(part);
      }
    }
    Map<Place, Zone> zones = new LinkedHashMap<>();
    long left = NARROWING_INTERVALS;
    var rest = new ArrayList<Filter>();
    for (Filter part : flat) {
      if (part instanceof At(var place, var zone)) {
        Zone known = zones.get(place);
        Zone narrowed = known == null ? zone : known.size() > left ? known : known.and(zone);
        zones.put(place, narrowed);
        left -= narrowed.size();
      } else {
        rest.add(part);
      }
    }
    if (zones.values().stream().anyMatch(Zone::isEmpty)) {
      return never();
    }
    zones.forEach((place, zone) -> rest.add(new At(place, zone)));
    return rest.isEmpty() ? always() : rest.size() == 1 ? rest.getFirst() : new Every(rest);
  }

  static Filter any(List<Filter> parts) {
    var flat = new ArrayList<Filter>();
    for (Filter part : parts) {
      switch (part) {
        case Always _ -> {
          return always();
        }
        case Never _ -> {}
        case Some(var inner) -> flat.addAll(inner);
        case At _, Every _ -> flat.add(part);
      }
    }
    Map<Place, List<Zone>> zones = new LinkedHashMap<>();
    var rest = new ArrayList<Filter>();
    for (Filter part : flat) {
      if (part instanceof At(var place, var zone)) {
        zones.computeIfAbsent(place, first -> new ArrayList<>()).add(zone);
      } else {
        rest.add(part);
      }
    }
    for (Map.Entry<Place, List<Zone>> entry : zones.entrySet()) {
      Filter united = at(entry.getKey(), Zone.union(entry.getValue()));
      if (united instanceof Always) {
        return always();
      }
      rest.add(united);
    }
    return rest.isEmpty() ? never() : rest.size() == 1 ? rest.getFirst() : new Some(rest);
  }

  /** The parts that must all be met. */
  default List<Filter> conjuncts() {
    return switch (this) {
      case Always _ -> List.of();
      case Every(var parts) -> parts;
      case Never _, At _, Some _ -> List.of(this);
    };
  }

  /** The values that can stand at the place. */
  default Zone zone(Place at) {
    return switch (this) {
      case Always _ -> Zone.ANY;
      case Never _ -> Zone.NONE;
      case At(var place, var zone) -> place.equals(at) ? zone : Zone.ANY;
      case Every(var parts) ->
          parts.stream().map(part -> part.zone(at)).reduce(Zone.ANY, Zone::and);
      case Some(var parts) -> Zone.union(parts.stream().map(part -> part.zone(at)).toList());
    };
  }

  /** Whether it is about nothing but these places. */
  default boolean isOnlyAbout(List<Place> places) {
    return switch (this) {
      case Always _, Never _ -> true;
      case At(var place, _) -> places.contains(place);
      case Every(var parts) -> parts.stream().allMatch(part -> part.isOnlyAbout(places));
      case Some(var parts) -> parts.stream().allMatch(part -> part.isOnlyAbout(places));
    };
  }
}
