package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The versions of items that a transaction rests on: those it writes, or found absent. The writer
 * looks for each of them again at the commit, so there is a bound to their number and their size.
 */
final class ExpectedVersions {
  static final int COUNT_MAX = 10_000;

  /** Of the stored items, seen by clients or not, which the writer reads again. */
  static final long STORED_BYTES_MAX = 16 << 20;

  /** Of an entry beside its id. */
  private static final long ENTRY_BYTES = 100;

  private final ItemEntries entries;
  private final byte[] logical;
  private final Map<String, PendingWrites.Version> byId = new HashMap<>();
  private long sizeBytes;
  private long storedBytes;

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

  /** Whether at least a part of what the bounds allow is used; 1 is all of it. */
  boolean isUsed(double part) {
    return byId.size() >= part * COUNT_MAX || storedBytes >= part * STORED_BYTES_MAX;
  }

  boolean contains(List<String> ids) {
    return byId.keySet().containsAll(ids);
  }

  /** Notes what was read for a step that the writer does again. */
  void lookedAt(long bytes) {
    storedBytes += bytes;
  }

  /** Notes how the items are before the transaction writes them. */
  void add(List<String> ids) {
    ids.forEach(this::add);
  }

  void add(Target target) {
    add(idsOf(target));
  }

  private void add(String id) {
    if (!byId.containsKey(id)) {
      ItemRecord present = entries.find(logical, id);
      byId.put(id, PendingWrites.Version.of(present));
      sizeBytes += ENTRY_BYTES + 2L * id.length();
    }
  }

  /** The ids that the task writes, or finds absent. */
  List<String> idsOf(ItemTask task) {
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
