package io.orrery.query.index;

import io.orrery.value.KeyValues;
import io.orrery.value.Value;
import java.util.List;

/** An index over several paths; every item has exactly one entry, whatever it lacks. */
public record CompositeIndex(List<Key> keys) implements Indexed {
  /** One path and the direction in which its values are kept. */
  public record Key(IndexPath path, boolean descending) {}

  public CompositeIndex {
    keys = List.copyOf(keys);
  }

  @Override
  public long hash() {
    return PathHash.of(this);
  }

  /** Whether items can have more than one entry, or lack what it names. */
  boolean isUnsupported() {
    return keys.stream()
        .anyMatch(key -> !key.path().isSingle() || SystemPaths.isUnindexed(key.path()));
  }

  byte[] term(Value.Obj content, long timestampSeconds) {
    var writer = new TermWriter();
    writer.hash(hash());
    for (Key key : keys) {
      Value value =
          SystemPaths.isTimestamp(key.path())
              ? Value.of(timestampSeconds)
              : KeyValues.at(content, key.path().segments());
      writer.value(value, key.descending());
    }
    return writer.done();
  }
}
