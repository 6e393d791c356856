package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.StorageFault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fetches what a group of tasks will look at in few calls. */
final class Prefetch {
  /** Items beyond this are read when their turn comes. */
  private static final long ITEMS_BYTES_MAX = Writer.GROUP_BYTES_MAX;

  /** Items may have 2 MB each: a call asks for few until they are seen to be small. */
  private static final int ITEMS_FIRST = 2;

  private static final int ITEMS_PER_CALL = 32;

  private Prefetch() {}

  /**
   * Fetches what the first of the writes will look at.
   *
   * @param ahead how many writes
   */
  static void run(Collection<Work.Write> writes, int ahead, GroupState state) {
    var keys = new ArrayList<byte[]>(2 * Math.min(ahead, writes.size()));
    writes.stream().limit(ahead).forEach(write -> addKeys(write, keys));
    state.prefetch(keys);
    var items = new ArrayList<byte[]>();
    for (byte[] key : keys) {
      byte @Nullable [] value = state.get(key);
      if (value != null && value.length == Long.BYTES) {
        items.add(Keys.item(ByteBuffer.wrap(value).getLong()));
      }
    }
    var _ = items(items, state);
  }

  /**
   * Fetches the first of some items, up to those that cannot be read; returns how many, at least
   * one if there are any.
   */
  static int items(List<byte[]> items, GroupState state) {
    int atOnce = ITEMS_FIRST;
    int done = 0;
    while (done < items.size() && (done == 0 || state.fetchedBytes() < ITEMS_BYTES_MAX)) {
      int end = Math.min(items.size(), done + atOnce);
      long before = state.fetchedBytes();
      try {
        state.prefetch(items.subList(done, end));
      } catch (StorageFault e) {
        return Math.max(1, done); // the read of that item alone reports the fault
      }
      boolean small = (state.fetchedBytes() - before) * ITEMS_PER_CALL < ITEMS_BYTES_MAX * atOnce;
      atOnce = small ? Math.min(ITEMS_PER_CALL, 2 * atOnce) : ITEMS_FIRST;
      done = end;
    }
    return done;
  }

  private static void addKeys(Work.Write write, List<byte[]> keys) {
    byte[] logical = write.logical().array();
    keys.add(Keys.logical(logical));
    switch (write) {
      case Work.Client(
              ItemTask.Batch(var key, var steps),
              var l,
              var m,
              var hold,
              var weight,
              var r) ->
          steps.forEach(task -> addPrimary(logical, idOf(task), keys));
      case Work.Client client -> addPrimary(logical, idOf(client.task()), keys);
      case Work.Transact(var pending, var hold, var weight, var activity, var done) ->
          pending.expected().keySet().forEach(id -> addPrimary(logical, id, keys));
    }
  }

  private static void addPrimary(byte[] logical, @Nullable String id, List<byte[]> keys) {
    if (id != null) {
      keys.add(Keys.primary(logical, id.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static @Nullable String idOf(ItemTask task) {
    return switch (task) {
      case ItemTask.Create(var key, var item) -> item.id();
      case ItemTask.Upsert(var key, var item, var precondition) -> item.id();
      case ItemTask.Merge(var key, var item, var precondition, var rule) -> item.id();
      case ItemTask.Read(var key, var target, var precondition) -> idOf(target);
      case ItemTask.Replace(var key, var target, var item, var precondition) -> idOf(target);
      case ItemTask.PatchOne(var key, var target, var patch, var precondition) -> idOf(target);
      case ItemTask.Delete(var key, var target, var precondition) -> idOf(target);
      case ItemTask.DeleteAll(var key) -> null;
      case ItemTask.Batch(var key, var steps) -> null;
      case ItemTask.Refused(var key, var refusal) -> null;
    };
  }

  private static @Nullable String idOf(Target target) {
    return switch (target) {
      case Target.Id(String id) -> id;
      case Target.Counter(long counter) -> null;
    };
  }
}
