package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fetches what a group of tasks will look at in two calls. */
final class Prefetch {
  private Prefetch() {}

  static void run(Collection<Work.Client> clients, GroupState state) {
    var keys = new ArrayList<byte[]>(clients.size() * 2);
    for (Work.Client client : clients) {
      byte[] logical = client.logical().array();
      keys.add(Keys.logical(logical));
      List<ItemTask> tasks =
          client.task() instanceof ItemTask.Batch(var key, var steps)
              ? steps
              : List.of(client.task());
      for (ItemTask task : tasks) {
        String id = idOf(task);
        if (id != null) {
          keys.add(Keys.primary(logical, id.getBytes(StandardCharsets.UTF_8)));
        }
      }
    }
    state.prefetch(keys);
    var items = new ArrayList<byte[]>();
    for (byte[] key : keys) {
      byte @Nullable [] value = state.get(key);
      if (value != null && value.length == Long.BYTES) {
        items.add(Keys.item(ByteBuffer.wrap(value).getLong()));
      }
    }
    state.prefetch(items);
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
