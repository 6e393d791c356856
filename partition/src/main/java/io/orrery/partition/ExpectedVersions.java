package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The versions of items that a transaction rests on: those it writes, or found absent. */
final class ExpectedVersions {
  private final ItemEntries entries;
  private final byte[] logical;
  private final Map<String, PendingWrites.Version> byId = new HashMap<>();
  private long sizeBytes;

  ExpectedVersions(ItemEntries entries, byte[] logical) {
    this.entries = entries;
    this.logical = logical;
  }

  Map<String, PendingWrites.Version> byId() {
    return byId;
  }

  /** About how much memory they take. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Notes how the items of a task are before the transaction writes them; tells their ids. */
  List<String> add(ItemTask task) {
    List<String> ids = idsOf(task);
    ids.forEach(this::add);
    return ids;
  }

  void add(Target target) {
    idsOf(target).forEach(this::add);
  }

  private void add(String id) {
    if (!byId.containsKey(id)) {
      byId.put(id, PendingWrites.Version.of(entries.find(logical, id)));
      sizeBytes += 2L * id.length();
    }
  }

  /** The ids that the task writes, or finds absent. */
  private List<String> idsOf(ItemTask task) {
    return switch (task) {
      case ItemTask.Create(var of, var item) -> List.of(item.id());
      case ItemTask.Upsert(var of, var item, var precondition) -> List.of(item.id());
      case ItemTask.Merge(var of, var item, var precondition, var rule) -> List.of(item.id());
      case ItemTask.Replace(var of, var target, var item, var precondition) ->
          idsOf(target, item.id());
      case ItemTask.PatchOne(var of, var target, var patch, var precondition) -> idsOf(target);
      case ItemTask.Delete(var of, var target, var precondition) -> idsOf(target);
      case ItemTask.Read(var of, Target.Id(String id), var precondition)
          when entries.find(logical, id) == null ->
          List.of(id);
      case ItemTask.Read _, ItemTask.Refused _, ItemTask.Batch _, ItemTask.DeleteAll _ -> List.of();
    };
  }

  private List<String> idsOf(Target target, String... others) {
    List<String> ids = new ArrayList<>(List.of(others));
    switch (target) {
      case Target.Id(String id) -> ids.add(id);
      case Target.Counter _ -> {
        ItemRecord found = entries.find(logical, target);
        if (found != null) {
          ids.add(found.id());
        }
      }
    }
    return ids;
  }
}
