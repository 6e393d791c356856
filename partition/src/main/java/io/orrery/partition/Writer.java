package io.orrery.partition;

import io.orrery.operation.Bytes;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of a partition. Tasks wait in a queue; while one group is being committed the
 * next one gathers. Nobody but the thread that runs the groups touches the state behind them.
 */
final class Writer {
  private static final int WAITING_MAX = 10_000;
  private static final int GROUP_TASKS_MAX = 512;
  static final long GROUP_BYTES_MAX = 4 << 20;

  /** The next task may bring forty thousand more: what an item has, may have and is counted in. */
  static final int GROUP_ENTRIES_MAX = 8_000;

  private static final int ATTEMPTS_MAX = 8;
  private static final long TRIM_EVERY_LSNS = 4_096;
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

  private final PartitionStore store;
  private final ConcurrentLinkedQueue<Work> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile PartitionSettings settings;
  private final PathCounts counts = new PathCounts();
  private final AtomicBoolean reindexing = new AtomicBoolean();
  private volatile Markers markers;
  private volatile IndexState index;
  private boolean indexSaved;
  private volatile Sizes sizes;
  private final GrowthWatch growth;

  /** Upkeep that waits until the partition has been copied; null while nobody copies it. */
  private @Nullable List<Chore> paused;

  private volatile long lsn;
  private volatile boolean closed;

  Writer(
      PartitionStore store,
      PartitionSettings settings,
      Head head,
      Markers markers,
      GrowthListener growth) {
    this.store = store;
    this.settings = settings;
    this.growth = new GrowthWatch(growth, settings.limits().physicalPartitionBytes());
    this.sizes = Sizes.load(store);
    this.markers = markers;
    this.index = IndexState.load(store, settings);
    this.lsn = head.lsn();
    reindexIfNeeded();
  }

  void settings(PartitionSettings changed) {
    settings = changed;
    reindexIfNeeded();
  }

  /** Which policy index entries follow. */
  IndexState index() {
    return index;
  }

  int indexProgress() {
    IndexState now = index;
    if (now.move() == null) {
      // A policy that just came has not begun to be applied.
      return now.policy().equals(settings.indexPolicy()) ? 100 : 0;
    }
    return now.progress(store);
  }

  private void reindexIfNeeded() {
    IndexState now = index;
    boolean needed = now.move() != null || !now.policy().equals(settings.indexPolicy());
    if (needed && reindexing.compareAndSet(false, true)) {
      submit(new Reindex());
    }
  }

  Markers markers() {
    return markers;
  }

  Sizes sizes() {
    return sizes;
  }

  /**
   * Lets upkeep wait, so that all that changes from now on stands in the history.
   *
   * @return whether that was possible: not while items move to another index policy
   */
  boolean pauseUpkeep() {
    var free = new AtomicBoolean();
    inTurn(
        () -> {
          free.set(index.move() == null && paused == null);
          if (free.get()) {
            paused = new ArrayList<>();
          }
        });
    return free.get();
  }

  void resumeUpkeep() {
    inTurn(
        () -> {
          List<Chore> waited = paused;
          paused = null;
          if (waited != null) {
            waited.forEach(this::submit);
          }
        });
  }

  /** Ends the writing here for good, or until somebody opens the head again; tells the last LSN. */
  long seal() {
    return inTurn(() -> commit((group, state) -> group.seal()));
  }

  /**
   * Runs something between two groups; blocks.
   *
   * @throws PartitionMoved when the writer is closed
   */
  private long inTurn(Runnable work) {
    var done = new CompletableFuture<Long>();
    if (closed) {
      throw new PartitionMoved();
    }
    enqueue(new Work.Turn(work, done));
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  long lsn() {
    return lsn;
  }

  void submit(Work.Client work) {
    if (closed) {
      work.reply().moved();
    } else if (waiting.get() >= WAITING_MAX) {
      var full =
          new Refusal.Unavailable("Too many writes wait for this partition; try again later");
      work.reply().answer(new PartitionAnswer(full, RequestCharge.NONE, lsn, lsn));
    } else {
      enqueue(work);
    }
  }

  void submit(Chore chore) {
    if (!closed) {
      enqueue(new Work.Upkeep(chore));
    }
  }

  /** Refuses what comes from now on and waits until what was taken is done. */
  void close() {
    closed = true;
    synchronized (waiting) {
      try {
        while (waiting.get() > 0) {
          waiting.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void enqueue(Work work) {
    queue.add(work);
    if (waiting.getAndIncrement() == 0) {
      Thread.ofVirtual().name("writer-", store.id().value()).start(this::drain);
    }
  }

  private void drain() {
    int done;
    do {
      List<Work> group = nextGroup();
      done = group.size();
      run(group);
    } while (waiting.addAndGet(-done) > 0);
    synchronized (waiting) {
      waiting.notifyAll();
    }
  }

  private List<Work> nextGroup() {
    var group = new ArrayList<Work>();
    while (group.size() < GROUP_TASKS_MAX) {
      Work next = queue.peek();
      boolean alone =
          !(next instanceof Work.Client client) || client.task() instanceof ItemTask.Batch;
      if (next == null || (alone && !group.isEmpty())) {
        break;
      }
      group.add(queue.remove());
      if (alone) {
        break;
      }
    }
    return group;
  }

  private void run(List<Work> group) {
    if (group.isEmpty()) {
      return;
    }
    if (group.getFirst() instanceof Work.Upkeep(Chore chore)) {
      runChore(chore);
      return;
    }
    if (group.getFirst() instanceof Work.Turn(Runnable work, var done)) {
      try {
        work.run();
        done.complete(lsn);
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
      return;
    }
    // Those that were answered leave the queue, so that a failure concerns only the others.
    var clients = new ArrayDeque<Work.Client>(group.size());
    group.forEach(work -> clients.add((Work.Client) work));
    try {
      while (!clients.isEmpty()) {
        runClients(clients);
      }
    } catch (PartitionMoved e) {
      clients.forEach(client -> client.reply().moved());
    } catch (StorageFault e) {
      LOG.warn("Writes of partition {} were refused by the storage", store.id().value(), e);
      clients.forEach(client -> client.reply().answer(PartitionAnswer.unavailable(e, lsn)));
    } catch (RuntimeException | Error e) {
      clients.forEach(client -> client.reply().fault(e));
    }
  }

  /** Commits as many tasks as one batch holds, answers them and takes them from the queue. */
  private void runClients(Queue<Work.Client> clients) {
    var answers = new ArrayList<PartitionAnswer>(clients.size());
    commit(
        (group, state) -> {
          answers.clear();
          Prefetch.run(clients, state);
          for (Work.Client client : clients) {
            answers.add(group.evaluate(client.task(), client.logical().array()));
            if (state.batch().sizeBytes() > GROUP_BYTES_MAX
                || group.entries().index().entries() > GROUP_ENTRIES_MAX) {
              break;
            }
          }
        });
    for (PartitionAnswer answer : answers) {
      clients.remove().reply().answer(answer);
    }
  }

  private void runChore(Chore chore) {
    if (paused != null) {
      paused.add(chore);
      return;
    }
    var next = new ArrayList<Chore>(1);
    try {
      commit(
          (group, state) -> {
            if (chore instanceof Reindex) {
              reindexing.set(false);
            }
            Chore rest = chore.run(group, state, markers);
            if (rest != null) {
              next.add(rest);
            }
          });
      next.forEach(this::submit);
      if (chore instanceof Reindex && next.isEmpty()) {
        reindexing.set(false);
        reindexIfNeeded(); // settings may have changed behind its back
      }
    } catch (PartitionMoved | StorageFault e) {
      // Upkeep is taken up again when the partition is opened next.
      LOG.warn("Upkeep of partition {} stopped", store.id().value(), e);
      if (chore instanceof Reindex) {
        reindexing.set(false);
      }
    }
  }

  /** What a group does between reading the head and committing. */
  private interface Evaluation {
    void run(WriteGroup group, GroupState state);
  }

  private void commit(Evaluation evaluation) {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try (Snapshot snapshot = store.snapshot()) {
        Head head = snapshot.head();
        if (head == null || head.state() == Head.State.SEALED) {
          throw new PartitionMoved();
        }
        var state = new GroupState(snapshot);
        counts.begin();
        var indexed = new IndexEntries(state.batch(), counts, index);
        var group =
            new WriteGroup(
                settings, state, head, new ItemEntries(settings, state, indexed, markers, sizes));
        evaluation.run(group, state);
        if ((group.batch().entries() == 0 && !group.isSealed()) || group.isDiscarded()) {
          return;
        }
        if (!indexSaved) {
          indexed.change(indexed.state());
        }
        if (!group.entries().sizes().equals(sizes)) {
          state.put(Keys.sizes(), group.entries().sizes().encode());
        }
        counts.finish(snapshot, state.batch());
        switch (store.commit(head, group.next(), group.batch())) {
          case CommitResult.Committed c -> {
            committed(group);
            return;
          }
          case CommitResult.Refused r -> {
            // Somebody else committed: what was read may be old, markers included.
            markers = Sweep.loadMarkers(store);
            index = IndexState.load(store, settings);
            sizes = Sizes.load(store);
            indexSaved = false;
            counts.forget();
          }
        }
      }
    }
    throw new StorageFault(
        "Commits of partition " + store.id().value() + " were refused " + ATTEMPTS_MAX + " times");
  }

  private void committed(WriteGroup group) {
    Markers before = markers;
    long lsnBefore = lsn;
    markers = group.markers();
    index = group.entries().index().state();
    indexSaved = true;
    counts.committed();
    sizes = group.entries().sizes();
    lsn = group.lsn();
    growth.see(sizes);
    if (!before.equals(markers)) {
      markers.lsnByLogicalPartition().forEach((key, deleted) -> sweepIfNew(before, key, deleted));
    }
    if (index.move() != null) {
      reindexIfNeeded(); // a storage that failed may have stopped it
    }
    if (lsnBefore / TRIM_EVERY_LSNS != lsn / TRIM_EVERY_LSNS) {
      submit(new Trim(settings.historyRetention()));
    }
  }

  private void sweepIfNew(Markers before, Bytes logical, long deleted) {
    if (before.lsnOf(logical) != deleted) {
      submit(new Sweep(logical, deleted, 0));
    }
  }
}
