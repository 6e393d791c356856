package io.orrery.partition;

import io.orrery.query.index.CompositeIndex;
import io.orrery.query.index.IndexPath;
import io.orrery.query.index.OrderedScan;
import io.orrery.value.KeyValues;
import io.orrery.value.Value;
import java.util.List;

/** The values that give an item its place in an index. */
final class OrderKeys {
  private OrderKeys() {}

  static List<Value> of(OrderedScan order, Value.Obj item) {
    return switch (order.index()) {
      case IndexPath path -> List.of(KeyValues.at(item, path.segments()));
      case CompositeIndex(var keys) ->
          keys.subList(keys.size() - order.keys(), keys.size()).stream()
              .map(key -> KeyValues.at(item, key.path().segments()))
              .toList();
    };
  }
}
