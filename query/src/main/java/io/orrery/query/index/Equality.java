package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;

/** What an item has that has a certain value, or one that includes it, at a place. */
final class Equality {
  /** More parts of a constant than these are left to the comparison itself. */
  private static final int PARTS_MAX = 16;

  private Equality() {}

  static Filter at(Place place, Value value) {
    var filters = new ArrayList<Filter>();
    collect(place, value, filters);
    return filters.size() == 1 ? filters.getFirst() : Filter.all(filters);
  }

  private static void collect(Place place, Value value, List<Filter> filters) {
    if (filters.size() > PARTS_MAX) {
      return;
    }
    filters.add(Filter.at(place, Zone.of(value)));
    switch (value) {
      case Value.Obj(var members) ->
          members.forEach((name, member) -> collect(place.member(name), member, filters));
      case Value.Arr(var items) -> {
        for (int i = 0; i < items.size(); i++) {
          collect(place.at(i), items.get(i), filters);
        }
      }
      case Value.Undefined _, Value.Null _, Value.Bool _, Value.Num _, Value.Text _ -> {}
    }
  }
}
