package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How many items have a term at a path. Changes add up during a group and are written once at its
 * end. Belongs to the writer, which remembers the counts it wrote last.
 */
final class PathCounts {
  private static final int REMEMBERED_MAX = 10_000;
  private static final int SLOTS = 256;

  /** A table above this does not outlive its group: each group passes over all slots. */
  private static final int SLOTS_KEPT = 4_096;

  /** Random, so that clients cannot choose names that share a slot. */
  private static final long SPREAD = ThreadLocalRandom.current().nextLong() | 1;

  private final Map<Long, Long> remembered = new HashMap<>();
  private final Map<Long, Long> staged = new HashMap<>();
  // Open addressing; hashes are never zero.
  private long[] hashes = new long[SLOTS];
  private int[] changes = new int[SLOTS];
  private int used;

  /** What was added and taken away since the savepoint. */
  private final List<long[]> added = new ArrayList<>();

  private final List<long[]> taken = new ArrayList<>();

  /** Begins a group anew. */
  void begin() {
    if (hashes.length > SLOTS_KEPT) {
      hashes = new long[SLOTS];
      changes = new int[SLOTS];
    } else {
      Arrays.fill(hashes, 0);
    }
    used = 0;
    staged.clear();
    savepoint();
  }

  /** What is counted from now on can be undone. */
  void savepoint() {
    added.clear();
    taken.clear();
  }

  /** Undoes what was counted since the savepoint. */
  void rollBack() {
    added.forEach(paths -> change(paths, -1));
    taken.forEach(paths -> change(paths, 1));
    savepoint();
  }

  void add(long[] paths) {
    added.add(paths);
    change(paths, 1);
  }

  void take(long[] paths) {
    taken.add(paths);
    change(paths, -1);
  }

  private void change(long[] paths, int change) {
    for (long hash : paths) {
      // Finding the slot may put other arrays in the place of these.
      int slot = slotOf(hash);
      changes[slot] += change;
    }
  }

  /** How many entries the end of the group may bring. */
  int pending() {
    return used;
  }

  /** Writes what has changed. */
  void finish(Snapshot snapshot, Batch batch) {
    recallMissing(snapshot);
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0 && changes[slot] != 0) {
        long count = remembered.getOrDefault(hashes[slot], 0L) + changes[slot];
        staged.put(hashes[slot], count);
        byte[] key = Keys.pathCount(hashes[slot]);
        if (count == 0) {
          batch.delete(key);
        } else {
          batch.put(key, ByteBuffer.allocate(8).putLong(count).array());
        }
      }
    }
  }

  void committed() {
    if (remembered.size() + staged.size() > REMEMBERED_MAX) {
      remembered.clear();
    }
    remembered.putAll(staged);
  }

  /** Somebody else wrote. */
  void forget() {
    remembered.clear();
  }

  static long decode(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  private void recallMissing(Snapshot snapshot) {
    var missing = new ArrayList<Long>();
    var keys = new ArrayList<byte[]>();
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0 && changes[slot] != 0 && !remembered.containsKey(hashes[slot])) {
        missing.add(hashes[slot]);
        keys.add(Keys.pathCount(hashes[slot]));
      }
    }
    if (!keys.isEmpty()) {
      List<byte @Nullable []> values = snapshot.multiGet(keys).values();
      for (int i = 0; i < keys.size(); i++) {
        remembered.put(missing.get(i), decode(values.get(i)));
      }
    }
  }

  private int slotOf(long hash) {
    int slot = find(hashes, hash);
    if (hashes[slot] == 0) {
      if (2 * used >= hashes.length) {
        grow();
        slot = find(hashes, hash);
      }
      hashes[slot] = hash;
      changes[slot] = 0;
      used++;
    }
    return slot;
  }

  private static int find(long[] hashes, long hash) {
    int slot = (int) ((hash * SPREAD) >>> 32) & (hashes.length - 1);
    while (hashes[slot] != 0 && hashes[slot] != hash) {
      slot = slot + 1 & (hashes.length - 1);
    }
    return slot;
  }

  private void grow() {
    var moreHashes = new long[2 * hashes.length];
    var moreChanges = new int[2 * hashes.length];
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
        int to = find(moreHashes, hashes[slot]);
        moreHashes[to] = hashes[slot];
        moreChanges[to] = changes[slot];
      }
    }
    hashes = moreHashes;
    changes = moreChanges;
  }
}
