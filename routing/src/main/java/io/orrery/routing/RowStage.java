package io.orrery.routing;

import io.orrery.query.RankTable;
import io.orrery.query.Window;
import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.Work;
import io.orrery.value.Json;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A step that all rows of a query pass: rows are pushed into it, then the end. One thread. */
interface RowStage extends AutoCloseable {

  /**
   * A row on its way.
   *
   * @param keys what ORDER BY sorts by or RANK scores; else empty
   * @param counter with {@code nth} decides between equals
   */
  record Row(Value value, List<Value> keys, long counter, int nth) {
    static final Sorter.Form<Row> FORM =
        new Sorter.Form<>() {
          @Override
          public byte[] write(Row row) {
            return Json.write(
                new Value.Arr(
                    List.of(
                        row.value,
                        CutKeys.write(row.keys),
                        Value.of(row.counter),
                        Value.of(row.nth))));
          }

          @Override
          public Row read(byte[] bytes) {
            List<Value> parts = ((Value.Arr) RawJson.of(bytes)).items();
            return new Row(
                parts.get(0),
                CutKeys.read(parts.get(1)),
                ((Value.Int64) parts.get(2)).value(),
                (int) ((Value.Int64) parts.get(3)).value());
          }
        };

    /** A row that does not hold on to the item it is a part of. */
    static Row of(Value value, List<Value> keys, long counter, int nth) {
      return new Row(
          Sizes.detached(value), keys.stream().map(Sizes::detached).toList(), counter, nth);
    }

    long sizeBytes() {
      long bytes = Sizes.memoryBytes(value);
      for (Value key : keys) {
        bytes += Sizes.memoryBytes(key);
      }
      return bytes;
    }

    static Comparator<Row> by(Comparator<List<Value>> order) {
      return Comparator.comparing(Row::keys, order)
          .thenComparingLong(Row::counter)
          .thenComparingInt(Row::nth);
    }
  }

  /** Takes a row; false means that no more are wanted. */
  boolean row(Row row);

  /** All rows have come. */
  void end();

  @Override
  void close();

  /** The last step: what TOP, OFFSET and LIMIT leave. */
  final class Windowed implements RowStage {
    private final Predicate<Value> sink;
    private long toSkip;
    private long left;

    Windowed(Window window, Predicate<Value> sink) {
      this.toSkip = window.offset();
      this.left = window.limit();
      this.sink = sink;
    }

    @Override
    public boolean row(Row row) {
      if (left == 0) {
        return false;
      }
      if (toSkip > 0) {
        toSkip--;
        return true;
      }
      left--;
      return sink.test(row.value) && left > 0;
    }

    @Override
    public void end() {}

    @Override
    public void close() {}
  }

  /** Gives rows on in the order of ORDER BY. */
  final class Sorted implements RowStage {
    private final Sorter<Row> sorter;
    private final RowStage next;

    Sorted(Sorter<Row> sorter, RowStage next) {
      this.sorter = sorter;
      this.next = next;
    }

    @Override
    public boolean row(Row row) {
      sorter.add(row, row.sizeBytes());
      return true;
    }

    @Override
    public void end() {
      sorter.each(next::row);
      next.end();
    }

    @Override
    public void close() {
      sorter.close();
      next.close();
    }
  }

  /** Gives rows on by their scores. */
  final class Ranked implements RowStage {
    private final RankTable ranks;
    private final Work work;
    private final GatheringMemory memory;
    private final RowLog rows;
    private final RowStage next;

    Ranked(RankTable ranks, Work work, SpillSpace space, long memoryBytes, RowStage next) {
      this.ranks = ranks;
      this.work = work;
      this.memory = space.memory(memoryBytes);
      this.rows = new RowLog(space, memory::holds);
      this.next = next;
    }

    @Override
    public boolean row(Row row) {
      ranks.add(row.keys);
      rows.append(Json.write(row.value));
      if (rows.hasSpilled()) {
        memory.close();
      }
      return true;
    }

    @Override
    public void end() {
      rows.finish();
      for (int place : ranks.order(work)) {
        if (!next.row(new Row(RawJson.of(rows.row(place)), List.of(), 0, 0))) {
          break;
        }
      }
      next.end();
    }

    @Override
    public void close() {
      rows.close();
      memory.close();
      next.close();
    }
  }

  /**
   * Gives equal rows on once: at once while those seen fit into memory; after that the rest, and
   * what was seen, are sorted by value to find out what is new.
   */
  final class Distinct implements RowStage {
    /** Sorts before every other row of the same value. */
    private static final long SEEN = -1;

    private static final long ENTRY_BYTES = 64;

    private final Set<ValueKey> seen = new HashSet<>();
    private final Work work;
    private final SpillSpace space;
    private final long memoryBytes;
    private final GatheringMemory memory;
    private final RowStage next;
    private long seenBytes;
    private @Nullable Sorter<Row> sorter;

    Distinct(Work work, SpillSpace space, long memoryBytes, RowStage next) {
      this.work = work;
      this.space = space;
      this.memoryBytes = memoryBytes;
      this.memory = space.memory(memoryBytes);
      this.next = next;
    }

    @Override
    public boolean row(Row row) {
      if (sorter != null) {
        sorter.add(row, row.sizeBytes());
        return true;
      }
      if (!seen.add(new ValueKey(row.value, work))) {
        return true;
      }
      seenBytes += ENTRY_BYTES + Sizes.memoryBytes(row.value);
      boolean more = next.row(row);
      if (more && !memory.holds(seenBytes)) {
        spill();
      }
      return more;
    }

    private void spill() {
      Comparator<Row> byValue =
          (left, right) -> ValueOrder.ORDER.compare(left.value, right.value, work);
      var opened =
          new Sorter<>(
              byValue.thenComparingLong(Row::counter).thenComparingInt(Row::nth),
              Row.FORM,
              space,
              memoryBytes,
              Long.MAX_VALUE);
      sorter = opened;
      for (ValueKey key : seen) {
        opened.add(new Row(key.value(), List.of(), SEEN, 0), Sizes.memoryBytes(key.value()));
      }
      seen.clear();
      memory.close();
    }

    @Override
    public void end() {
      if (sorter != null) {
        Value[] last = {Value.UNDEFINED};
        sorter.each(
            row -> {
              if (ValueOrder.equal(last[0], row.value, work)) {
                return true;
              }
              last[0] = row.value;
              return row.counter == SEEN || next.row(row);
            });
      }
      next.end();
    }

    @Override
    public void close() {
      memory.close();
      if (sorter != null) {
        sorter.close();
      }
      next.close();
    }
  }
}
