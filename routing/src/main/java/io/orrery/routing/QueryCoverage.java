package io.orrery.routing;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Refusal;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.LogicalKey;
import io.orrery.query.plan.KeyFilter;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.routing.catalog.PartitionMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys that can have rows of a query: what the request names and the filter leaves of it. */
final class QueryCoverage {
  /** With more keys, whole partitions are asked: their index finds the keys. */
  private static final int KEYS_MAX = 16;

  private final List<Piece> pieces;
  private final List<EpkRange> touched;
  private final boolean empty;

  /**
   * @param pieces in order, without overlap
   * @param touched ranges without any of these need not be asked
   * @param empty whether no item can have a row
   */
  private QueryCoverage(List<Piece> pieces, List<EpkRange> touched, boolean empty) {
    this.pieces = pieces;
    this.touched = touched;
    this.empty = empty;
  }

  /**
   * A stretch of keys.
   *
   * @param key set when it is a single logical partition
   * @param prefix the first components of the keys that the request names; empty for all keys
   */
  private record Piece(EpkRange epks, @Nullable LogicalKey key, PartitionKey prefix) {

    static Piece of(EpkRange epks) {
      return new Piece(epks, null, PartitionKey.EMPTY);
    }

    static Piece of(PartitionKey key, PartitionKeyDefinition definition) {
      boolean whole = key.components().size() == definition.paths().size();
      return new Piece(
          EffectivePartitionKey.rangeOf(key, definition),
          whole ? LogicalKey.of(key, definition) : null,
          key);
    }
  }

  static QueryCoverage of(
      FeedScope scope, KeyFilter filter, ContainerEntry container, ItemTasks tasks) {
    Piece asked = asked(scope, container, tasks);
    if (asked.key == null && filter instanceof KeyFilter.Keys(var keys)) {
      List<Piece> pieces = pieces(keys, asked, container.key());
      if (!pieces.isEmpty()) {
        return pieces.size() <= KEYS_MAX
            ? new QueryCoverage(pieces, List.of(EpkRange.ALL), false)
            : new QueryCoverage(List.of(asked), pieces.stream().map(Piece::epks).toList(), false);
      }
      return new QueryCoverage(List.of(asked), List.of(EpkRange.ALL), true);
    }
    return new QueryCoverage(
        List.of(asked), List.of(EpkRange.ALL), filter instanceof KeyFilter.Nothing);
  }

  /** A single logical partition. */
  static QueryCoverage of(LogicalKey key, PartitionKeyDefinition definition) {
    EpkRange epks =
        definition.isNone() ? EpkRange.ALL : EffectivePartitionKey.rangeOf(key.key(), definition);
    return new QueryCoverage(
        List.of(new Piece(epks, key, key.key())), List.of(EpkRange.ALL), false);
  }

  private static Piece asked(FeedScope scope, ContainerEntry container, ItemTasks tasks) {
    return switch (scope) {
      case FeedScope.Whole() -> Piece.of(EpkRange.ALL);
      case FeedScope.OfKey(PartitionKey given) -> {
        PartitionKey key = tasks.fitted(given, container.key());
        yield key.components().isEmpty() ? Piece.of(EpkRange.ALL) : Piece.of(key, container.key());
      }
      case FeedScope.OfRange(String id, EpkRange part) -> {
        EpkRange epks = container.map().epksOf(id);
        if (epks == null) {
          throw new Refused(new Refusal.NotFound());
        }
        yield Piece.of(part == null ? epks : epks.intersect(part));
      }
    };
  }

  private static List<Piece> pieces(
      Set<PartitionKey> keys, Piece asked, PartitionKeyDefinition definition) {
    List<Piece> pieces = new ArrayList<>();
    List<Piece> sorted =
        keys.stream()
            .map(key -> Piece.of(key, definition))
            .sorted(Comparator.comparing(piece -> piece.epks.min()))
            .toList();
    for (Piece piece : sorted) {
      EpkRange part = piece.epks.intersect(asked.epks);
      if (part.isEmpty() || (piece.key != null && !piece.prefix.beginsWith(asked.prefix))) {
        continue;
      }
      Piece last = pieces.isEmpty() ? null : pieces.getLast();
      if (last == null || part.max().compareTo(last.epks.max()) > 0) {
        pieces.add(new Piece(part, piece.key, asked.prefix));
      } else if (last.key != null) {
        // Another key of the same hash, as long keys of version 1 are: the filter tells them apart.
        pieces.set(pieces.size() - 1, new Piece(last.epks, null, asked.prefix));
      }
      // A key below a prefix that is there already adds nothing.
    }
    return pieces;
  }

  /** Whom to ask, in the order of their keys; at least one, for an answer comes from somewhere. */
  List<Shard> shards(PartitionMap map) {
    List<Shard> shards = shards(map, EpkRange.ALL);
    return empty && shards.size() > 1 ? shards.subList(0, 1) : shards;
  }

  /** Whom to ask about some of the keys. */
  List<Shard> shards(PartitionMap map, EpkRange within) {
    List<Shard> shards = new ArrayList<>();
    for (Piece piece : pieces) {
      EpkRange part = piece.epks.intersect(within);
      if (part.isEmpty()) {
        continue;
      }
      for (MappedRange range : map.overlapping(part)) {
        if (touched.stream().anyMatch(range.epks()::overlaps)) {
          shards.add(shard(piece, range, part.intersect(range.epks())));
        }
      }
    }
    return shards;
  }

  /** One that stands for all where the answer comes from none. */
  MappedRange range(PartitionMap map) {
    return map.find(pieces.getFirst().epks.min());
  }

  /** The partition key where there is but one. */
  @Nullable PartitionKey key() {
    LogicalKey key = pieces.size() == 1 ? pieces.getFirst().key : null;
    return key == null ? null : key.key();
  }

  private static Shard shard(Piece piece, MappedRange range, EpkRange epks) {
    if (piece.key != null) {
      return new Shard(range, new FeedSlice.OneKey(piece.key), epks);
    }
    // A whole partition need not look at the key of each item.
    EpkRange slice = epks.equals(range.epks()) ? EpkRange.ALL : epks;
    return new Shard(range, new FeedSlice.Range(slice, piece.prefix), epks);
  }
}
