package io.orrery.routing;

import io.orrery.query.CompiledQuery;
import io.orrery.query.GroupTable;
import io.orrery.query.ItemRows;
import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of a whole query: in memory while they fit, then in sorted runs on disk. */
final class GatheredGroups implements AutoCloseable {
  private static final Sorter.Form<GroupTable.Group> FORM =
      new Sorter.Form<>() {
        @Override
        public byte[] write(GroupTable.Group group) {
          return Json.write(group.toValue());
        }

        @Override
        public GroupTable.Group read(byte[] bytes) {
          return GroupTable.Group.of(RawJson.of(bytes));
        }
      };

  private final QueryRun run;
  private final GroupTable table;
  private final Sorter<GroupTable.Group> runs;
  private final long memoryBytes;

  GatheredGroups(CompiledQuery query, QueryRun run, SpillSpace space, long memoryBytes) {
    this.run = run;
    this.table = query.groups(run.parameters).comparedBy(run.comparisons);
    this.runs = new Sorter<>(table.order(), FORM, space, memoryBytes, Long.MAX_VALUE);
    this.memoryBytes = memoryBytes;
  }

  void add(Value item) {
    table.add(item);
    spillIfLarge();
  }

  void merge(GroupTable part) {
    table.merge(part);
    spillIfLarge();
  }

  /** About how much memory the groups take; what was spilled takes none. */
  long sizeBytes() {
    return table.sizeBytes();
  }

  void absorb(GroupTable.Group group) {
    table.absorb(group);
  }

  /** All groups as values, unless they are larger than that; they stay in any case. */
  @Nullable List<Value> small(int bytesMax) {
    if (runs.hasSpilled() || table.size() > bytesMax) {
      return null;
    }
    List<GroupTable.Group> all = table.drain();
    List<Value> values = all.stream().map(GroupTable.Group::toValue).toList();
    all.forEach(table::absorb);
    return Json.write(new Value.Arr(values)).length > bytesMax ? null : values;
  }

  private void spillIfLarge() {
    if (table.sizeBytes() > memoryBytes) {
      runs.addRun(table.drain());
    }
  }

  /** The row of every group, in the order of the keys. */
  void each(ItemRows.Sink sink) {
    if (!runs.hasSpilled()) {
      table.each(sink);
      return;
    }
    if (table.size() > 0) {
      runs.addRun(table.drain());
    }
    GroupTable.@Nullable Group[] last = {null};
    boolean[] more = {true};
    runs.each(
        group -> {
          if (last[0] != null && table.order().compare(last[0], group) != 0) {
            more[0] = table.each(sink);
            table.drain();
          }
          last[0] = group;
          table.absorb(group);
          return more[0];
        });
    if (more[0]) {
      table.each(sink);
    }
  }

  @Override
  public void close() {
    run.comparisons.count(table.steps());
    runs.close();
  }
}
