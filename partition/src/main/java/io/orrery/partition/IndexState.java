package io.orrery.partition;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.UsableIndexes;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which policy the index entries of an item follow.
 *
 * @param policy the one that all items follow, or move to
 * @param move how far they are; null when they are all there
 * @param moves how many have begun: tells a policy that went and came back from one that stayed
 */
record IndexState(IndexPolicy policy, @Nullable Move move, long moves) {

  /**
   * Items on their way: those from {@code next} on and before {@code end} still follow {@code
   * from}, or have no entries at all when it is null.
   */
  record Move(@Nullable IndexPolicy from, long next, long end) {}

  static IndexState settled(IndexPolicy policy) {
    return new IndexState(policy, null, 0);
  }

  /** What the partition says; what holds without a word depends on whether it has items. */
  static IndexState load(PartitionStore store, PartitionSettings settings) {
    try (Snapshot snapshot = store.snapshot()) {
      return load(snapshot, settings);
    }
  }

  static IndexState load(Snapshot snapshot, PartitionSettings settings) {
    byte @Nullable [] stored = snapshot.get(Keys.indexState()).value();
    if (stored != null) {
      return decode(stored, settings.keyDefinition());
    }
    Page items = snapshot.scan(Scan.forward(Keys.item(0), Keys.itemsEnd()).atMost(1));
    Head head = snapshot.head();
    if (head == null || items.entries().isEmpty()) {
      return settled(settings.indexPolicy());
    }
    var all = new Move(null, 0, settings.counterOf(head.nextDocument()));
    return new IndexState(settings.indexPolicy(), all, 0);
  }

  IndexState movingTo(IndexPolicy next, long end) {
    return new IndexState(next, new Move(policy, 0, end), moves + 1);
  }

  IndexState reached(Move now, long counter) {
    return new IndexState(policy, new Move(now.from, counter, now.end), moves);
  }

  /** All items are there. */
  IndexState arrived() {
    return new IndexState(policy, null, moves);
  }

  /** The policy that an item's entries follow; null when it has none. */
  @Nullable IndexPolicy policyOf(long counter) {
    return move == null || counter < move.next || counter >= move.end ? policy : move.from;
  }

  /** What queries may rely on. */
  UsableIndexes usable() {
    if (move == null) {
      return policy;
    }
    return move.from == null ? UsableIndexes.nothing() : policy.and(move.from);
  }

  /** Whether queries may rely on the same entries as under the other state. */
  boolean servesAs(IndexState other) {
    return policy.equals(other.policy)
        && moves == other.moves
        && (move == null) == (other.move == null);
  }

  /** How many of a hundred parts of the way are done. */
  int progress(PartitionStore store) {
    try (Snapshot snapshot = store.snapshot()) {
      var items = snapshot.scan(Scan.forward(Keys.item(0), Keys.itemsEnd()).atMost(1)).entries();
      return items.isEmpty() ? 99 : progress(Keys.counterOfItem(items.getFirst().key()));
    }
  }

  /** Of the way from the first counter to the end. */
  private int progress(long firstCounter) {
    if (move == null) {
      return 100;
    }
    double done = (double) (move.next - firstCounter) / Math.max(1, move.end - firstCounter);
    return (int) Math.clamp(100 * done, 0, 99);
  }

  byte[] encode() {
    var members = new LinkedHashMap<String, Value>();
    members.put("policy", policy.json());
    if (move != null) {
      members.put("from", move.from == null ? Value.NULL : move.from.json());
      members.put("next", Value.of(move.next));
      members.put("end", Value.of(move.end));
    }
    if (moves > 0) {
      members.put("moves", Value.of(moves));
    }
    return Json.write(new Value.Obj(members));
  }

  private static IndexState decode(byte[] stored, PartitionKeyDefinition key) {
    var members = ((Value.Obj) Json.parse(stored)).members();
    IndexPolicy policy = policy(members.get("policy"), key);
    Move move =
        members.containsKey("next")
            ? new Move(
                members.get("from") instanceof Value.Obj from ? IndexPolicy.of(from, key) : null,
                number(members.get("next")),
                number(members.get("end")))
            : null;
    Value moves = members.get("moves");
    return new IndexState(policy, move, moves == null ? 0 : number(moves));
  }

  private static IndexPolicy policy(@Nullable Value json, PartitionKeyDefinition key) {
    return IndexPolicy.of((Value.Obj) Objects.requireNonNull(json), key);
  }

  private static long number(@Nullable Value value) {
    return ((Value.Int64) Objects.requireNonNull(value)).value();
  }
}
