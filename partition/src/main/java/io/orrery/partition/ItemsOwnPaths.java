package io.orrery.partition;

import io.orrery.query.ComputedProperties;
import io.orrery.query.index.CompositeIndex;
import io.orrery.query.index.IndexPath;
import io.orrery.query.index.UsableIndexes;
import java.util.List;

/** The indexes without those over names that are computed when they are asked for. */
record ItemsOwnPaths(UsableIndexes indexes, ComputedProperties computed) implements UsableIndexes {

  static UsableIndexes of(UsableIndexes indexes, ComputedProperties computed) {
    return computed.queries().isEmpty() ? indexes : new ItemsOwnPaths(indexes, computed);
  }

  @Override
  public boolean covers(IndexPath path) {
    return isOwn(path) && indexes.covers(path);
  }

  @Override
  public List<CompositeIndex> composites() {
    return indexes.composites().stream()
        .filter(index -> index.keys().stream().allMatch(key -> isOwn(key.path())))
        .toList();
  }

  private boolean isOwn(IndexPath path) {
    return path.segments().isEmpty() || !computed.queries().containsKey(path.segments().getFirst());
  }
}
