package io.orrery.query.index;

import java.util.List;
import java.util.Set;

/** The indexes that a query may rely on: those of a policy, or those that two policies share. */
public interface UsableIndexes {
  /** Whether every value at the path has an entry. */
  boolean covers(IndexPath path);

  /** The composite indexes in which every item has its entry. */
  List<CompositeIndex> composites();

  /** No index at all, not even the ones that every policy has. */
  static UsableIndexes nothing() {
    return new UsableIndexes() {
      @Override
      public boolean covers(IndexPath path) {
        return false;
      }

      @Override
      public List<CompositeIndex> composites() {
        return List.of();
      }
    };
  }

  /** While items move from one policy to another, only what both give can be relied on. */
  default UsableIndexes and(UsableIndexes other) {
    UsableIndexes one = this;
    return new UsableIndexes() {
      @Override
      public boolean covers(IndexPath path) {
        return one.covers(path) && other.covers(path);
      }

      @Override
      public List<CompositeIndex> composites() {
        return one.composites().stream().filter(other.composites()::contains).toList();
      }
    };
  }

  /** Without the properties of these names: what is computed from an item is in no index of it. */
  default UsableIndexes without(Set<String> computed) {
    if (computed.isEmpty()) {
      return this;
    }
    UsableIndexes all = this;
    return new UsableIndexes() {
      @Override
      public boolean covers(IndexPath path) {
        return !isComputed(path) && all.covers(path);
      }

      @Override
      public List<CompositeIndex> composites() {
        return all.composites().stream()
            .filter(index -> index.keys().stream().noneMatch(key -> isComputed(key.path())))
            .toList();
      }

      private boolean isComputed(IndexPath path) {
        return !path.segments().isEmpty() && computed.contains(path.segments().getFirst());
      }
    };
  }
}
