package io.orrery.hbase;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.CommitWatch;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Permits;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.jspecify.annotations.Nullable;

/** One partition: rows of one region that change by conditional calls. */
final class HbaseStore implements PartitionStore {
  private static final int FEW_KEYS = 8;
  private static final int LOAD_ENTRIES = 2_000;
  private static final int LOAD_BYTES = 4 << 20;
  private static final int ROWS_MOST = 1_000_000_000;
  private static final long ANSWER_BYTES_LEAST = 64 << 10;
  private static final long ANSWER_BYTES_MOST = 8 << 20;

  private final PartitionId id;
  private final HbaseStorage storage;
  private final Cluster cluster;
  private final byte[] headRow;
  private final byte[] tailRow;

  /** The highest version that anybody here has seen: an older answer is of a server left behind. */
  private final AtomicLong seen = new AtomicLong(-1);

  private final CommitWatch watch = new CommitWatch();

  HbaseStore(PartitionId id, HbaseStorage storage, Cluster cluster) {
    this.id = id;
    this.storage = storage;
    this.cluster = cluster;
    headRow = Layout.headRow(id);
    tailRow = Layout.tailRow(id);
  }

  @Override
  public PartitionId id() {
    return id;
  }

  @Override
  public Snapshot snapshot() {
    return new HbaseSnapshot(this, multiGet(List.of()).head());
  }

  @Override
  public Read get(byte[] key) {
    Reads reads = multiGet(List.of(key));
    return new Read(reads.head(), reads.values().getFirst());
  }

  Reads multiGet(List<byte[]> keys) {
    var ranges = new ArrayList<RowRange>();
    var wanted = new TreeSet<byte[]>(Arrays::compareUnsigned);
    wanted.addAll(keys);
    for (byte[] key : wanted) {
      byte[] row = Layout.entryRow(id, key);
      ranges.add(new RowRange(row, true, row, true));
    }
    return read(
        table -> {
          try (Permits.Permit _ = placesFor(wanted.size());
              var rows =
                  RegionRows.open(table, headRow, ranges, ranges.size(), ANSWER_BYTES_MOST)) {
            var found = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
            Head head = rows.mark().head();
            for (Result row = head == null ? null : rows.next(); row != null; row = rows.next()) {
              found.put(Layout.keyOf(row.getRow()), row.getValue(Layout.FAMILY, Layout.VALUE));
            }
            rows.requireOneState();
            var values = new ArrayList<byte @Nullable []>(keys.size());
            keys.forEach(key -> values.add(found.get(key)));
            return new Seen<>(rows.mark(), new Reads(head, values));
          }
        });
  }

  /** The few keys of a writer or of the catalog do not stand in line behind pages of queries. */
  private Permits.Permit placesFor(int keys) {
    long bytes = Math.min(ANSWER_BYTES_MOST, keys * AnswerPlaces.ENTRY_BYTES);
    return keys > FEW_KEYS ? storage.places().take(bytes) : () -> {};
  }

  Page scan(Scan scan) {
    if (scan.maxEntries() <= 0 || Arrays.compareUnsigned(scan.from(), scan.to()) >= 0) {
      return new Page(multiGet(List.of()).head(), List.of(), false);
    }
    byte[] markRow = scan.backward() ? tailRow : headRow;
    var range =
        new RowRange(Layout.entryRow(id, scan.from()), true, Layout.entryRow(id, scan.to()), false);
    long bytes = Math.clamp(scan.maxBytes(), ANSWER_BYTES_LEAST, ANSWER_BYTES_MOST);
    int rowsMost = Math.min(scan.maxEntries(), ROWS_MOST) + 1;
    return read(
        table -> {
          try (Permits.Permit _ = storage.places().take(bytes);
              var rows = RegionRows.open(table, markRow, List.of(range), rowsMost, bytes)) {
            Head head = rows.mark().head();
            Page page = head == null ? new Page(null, List.of(), false) : page(head, rows, scan);
            rows.requireOneState();
            return new Seen<>(rows.mark(), page);
          }
        });
  }

  private static Page page(Head head, RegionRows rows, Scan scan) throws IOException {
    var entries = new ArrayList<Entry>();
    long bytes = 0;
    Result row = rows.next();
    // At least one entry, however long it is.
    while (row != null
        && entries.size() < scan.maxEntries()
        && (bytes < scan.maxBytes() || entries.isEmpty())) {
      var entry = new Entry(Layout.keyOf(row.getRow()), row.getValue(Layout.FAMILY, Layout.VALUE));
      entries.add(entry);
      bytes += entry.key().length + entry.value().length;
      row = rows.next();
    }
    return new Page(head, entries, row != null);
  }

  /** An answer and the mark that it was seen with. */
  record Seen<T>(Mark mark, T answer) {}

  /** Asks until the answer is not older than what was known before the question. */
  private <T> T read(Cluster.Question<Seen<T>> question) {
    return cluster.call(
        () -> {
          long least = seen.get();
          return cluster.patiently(
              "Read of partition " + id.value(),
              headRow,
              table -> {
                Seen<T> answer = question.ask(table);
                accept(answer.mark(), least);
                return answer.answer();
              });
        });
  }

  /** Takes note of a mark, unless it is older than what was known. */
  Mark accept(Mark mark, long least) throws StaleAnswer {
    if (mark.version() < least) {
      throw new StaleAnswer("Version " + mark.version() + " is older than " + least);
    }
    seen.accumulateAndGet(mark.version(), Math::max);
    return mark;
  }

  @Override
  public void expect(long version) {
    seen.accumulateAndGet(version, Math::max);
  }

  long seen() {
    return seen.get();
  }

  void committed(Head head) {
    seen.accumulateAndGet(head.version(), Math::max);
    storage.countCommit();
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    if (!next.follows(expected)) {
      throw new IllegalArgumentException("Versions rise by one: " + expected + " to " + next);
    }
    return cluster.call(
        () -> {
          watch.begin();
          try {
            return new HbaseCommit(this, cluster, expected, next, batch).decide();
          } finally {
            watch.end();
          }
        });
  }

  /** Whether this partition hardly takes commits; the others may, on other region servers. */
  @Override
  public boolean isStalled() {
    return watch.isSlow();
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    cluster.requireOpen();
    if (!sorted.hasNext()) {
      return;
    }
    put(
        List.of(
            new Put(headRow, Layout.LOAD_TIME).addColumn(Layout.FAMILY, Layout.MARK, Layout.LOADED),
            new Put(tailRow, Layout.LOAD_TIME)
                .addColumn(Layout.FAMILY, Layout.MARK, Layout.LOADED)));
    byte[] last = null;
    while (sorted.hasNext()) {
      var puts = new ArrayList<Put>();
      for (int bytes = 0; sorted.hasNext() && puts.size() < LOAD_ENTRIES && bytes < LOAD_BYTES; ) {
        Entry entry = sorted.next();
        if (last != null && Arrays.compareUnsigned(last, entry.key()) >= 0) {
          throw new IllegalArgumentException("Entries to load are sorted, each key once");
        }
        last = entry.key();
        bytes += entry.key().length + entry.value().length;
        puts.add(
            new Put(Layout.entryRow(id, entry.key()), Layout.LOAD_TIME)
                .addColumn(Layout.FAMILY, Layout.VALUE, entry.value()));
      }
      put(puts);
    }
  }

  /** Adds a stretch of a load, if there is still no head. */
  private void put(List<Put> puts) {
    puts.forEach(put -> put.setDurability(cluster.durability()));
    boolean taken =
        cluster.call(
            () ->
                cluster.patiently(
                    "Load of partition " + id.value(),
                    headRow,
                    table ->
                        new ConditionalCall(headRow)
                            .ifMarked(headRow, Layout.LOADED)
                            .with(puts)
                            .send(table)));
    if (!taken) {
      throw new StorageFault("Only a partition without a head takes a load: " + id);
    }
  }

  /** Whether there was something to drop that is now to be freed. */
  boolean drop() {
    return cluster.call(
        () ->
            cluster.patiently(
                "Drop of partition " + id.value(),
                headRow,
                table -> {
                  Mark mark = accept(mark(table), seen.get());
                  if (mark instanceof Mark.Dropped(boolean freed)) {
                    return !freed; // perhaps by this call, whose answer was lost
                  }
                  if (mark instanceof Mark.Absent) {
                    return false;
                  }
                  mark(table, Layout.DROPPED);
                  accept(new Mark.Dropped(false), -1);
                  return true;
                }));
  }

  private Mark mark(Table table) throws IOException {
    Result row = table.get(new Get(headRow).addColumn(Layout.FAMILY, Layout.MARK));
    return Layout.mark(row.getValue(Layout.FAMILY, Layout.MARK));
  }

  /** Writes a mark of the end, which no commit can follow. */
  void mark(Table table, byte[] mark) throws IOException {
    var puts = new ArrayList<Put>();
    for (byte[] row : List.of(headRow, tailRow)) {
      var put = new Put(row, Layout.DROP_TIME).addColumn(Layout.FAMILY, Layout.MARK, mark);
      put.setDurability(cluster.durability());
      puts.add(put);
    }
    var _ = new ConditionalCall(headRow).with(puts).send(table);
  }
}
