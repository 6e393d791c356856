package io.orrery.hbase;

import io.orrery.storage.Joining;
import io.orrery.storage.Membership;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** Partitions in one table of an HBase cluster, which also keeps the copies. */
public final class HbaseStorage implements Storage {
  private final HbaseConfig config;
  private final Cluster cluster;
  private final Freeing freeing;
  private final ConcurrentMap<PartitionId, HbaseStore> stores = new ConcurrentHashMap<>();
  private final LongAdder commits = new LongAdder();
  private final AnswerPlaces places = AnswerPlaces.ofHeap(Runtime.getRuntime().maxMemory());

  private HbaseStorage(HbaseConfig config, Cluster cluster) {
    this.config = config;
    this.cluster = cluster;
    freeing = new Freeing(cluster);
  }

  /** Opens or creates the table; fails with a StorageFault that says what to do about it. */
  public static HbaseStorage open(HbaseConfig config) {
    return open(config, ConditionalCall::send);
  }

  static HbaseStorage open(HbaseConfig config, Cluster.Sender sender) {
    var storage = new HbaseStorage(config, new Opening(config).open(sender));
    try {
      new Account(storage.cluster, config).claim();
      for (var partition : storage.partitions()) {
        if (partition.mark() instanceof Mark.Dropped(boolean freed) && !freed) {
          storage.freeing.free(storage.store(partition.id()));
        }
      }
      return storage;
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  @Override
  public PartitionStore open(PartitionId id) {
    return store(id);
  }

  AnswerPlaces places() {
    return places;
  }

  private HbaseStore store(PartitionId id) {
    cluster.requireOpen();
    return stores.computeIfAbsent(id, absent -> new HbaseStore(absent, this, cluster));
  }

  @Override
  public List<PartitionId> list() {
    return partitions().stream()
        .filter(partition -> !(partition.mark() instanceof Mark.Dropped))
        .map(Marked::id)
        .toList();
  }

  private record Marked(PartitionId id, Mark mark) {}

  /** All that have a head row, dropped ones too, in order; jumps from one to the next. */
  private List<Marked> partitions() {
    byte[] pattern = Layout.headRow(new PartitionId(0));
    byte[] anyId = new byte[pattern.length];
    for (int i = 0; i < Layout.PREFIX_BYTES; i++) {
      anyId[i] = 1;
    }
    return cluster.call(
        () ->
            cluster.patiently(
                "List of partitions",
                pattern,
                table -> {
                  // The filter keeps these arrays and changes them.
                  var heads = new Pair<>(pattern.clone(), anyId.clone());
                  var scan =
                      new Scan()
                          .addColumn(Layout.FAMILY, Layout.MARK)
                          .setFilter(new FuzzyRowFilter(List.of(heads)));
                  var found = new ArrayList<Marked>();
                  try (var rows = table.getScanner(scan)) {
                    for (var row = rows.next(); row != null; row = rows.next()) {
                      var mark = Layout.mark(row.getValue(Layout.FAMILY, Layout.MARK));
                      found.add(new Marked(Layout.partitionOf(row.getRow()), mark));
                    }
                  }
                  return found;
                }));
  }

  @Override
  public void drop(PartitionId id) {
    HbaseStore store = store(id);
    if (store.drop()) {
      freeing.free(store);
    }
  }

  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public Membership join(Joining joining) {
    cluster.requireOpen();
    Membership joined = HbaseMembership.join(config, joining);
    try {
      new Account(cluster, config).renew();
      return joined;
    } catch (RuntimeException e) {
      joined.close();
      throw e;
    }
  }

  /** Of this process; HBase tells by itself what it holds. */
  @Override
  public StorageStatistics statistics() {
    return new StorageStatistics(commits.sum(), commits.sum(), 0, 0, 0);
  }

  @Override
  public @Nullable String trouble() {
    String away = cluster.trouble();
    return away == null && !cluster.closed() ? stall() : away;
  }

  private @Nullable String stall() {
    String stalled =
        stores.values().stream()
            .filter(HbaseStore::isStalled)
            .map(store -> store.id().value())
            .sorted()
            .limit(Outages.NAMED_MOST)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return stalled.isEmpty()
        ? null
        : "HBase hardly takes writes of partition "
            + stalled
            + "; see the log of its region server";
  }

  @Override
  public boolean isStalled() {
    return stores.values().stream().anyMatch(HbaseStore::isStalled);
  }

  @Override
  public void close() {
    if (!cluster.closed()) {
      cluster.close();
      freeing.close();
    }
  }

  void countCommit() {
    commits.increment();
  }
}
