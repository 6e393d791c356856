package io.orrery.rocksdb;

import io.orrery.rocksdb.PartitionState.Moving;
import io.orrery.rocksdb.PartitionState.Phase;
import io.orrery.rocksdb.PartitionState.Settled;
import io.orrery.storage.CommitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.rocksdb.RocksDBException;

/**
 * Requests that go down as one atomic write. Each is checked against the state that those before it
 * will leave; no answer is given before the write is decided, refusals included, because a refusal
 * may rest on a head that is not durable yet.
 */
final class Group {
  private final Instance instance;
  private final List<RocksBatch> batches = new ArrayList<>();
  private final List<RocksStore> touched = new ArrayList<>();
  private final List<Settled> before = new ArrayList<>();
  private final List<Request.Write> requests = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private int commits;

  Group(Instance instance) {
    this.instance = instance;
  }

  void add(Request.Write request) throws RocksDBException {
    switch (request) {
      case Request.Commit commit -> add(commit);
      case Request.Mark mark -> add(mark);
      case Request.Drop drop -> add(drop);
      case Request.Free(var id, var answer) -> {
        var bytes = new RocksBatch(64).deleteRange(Layout.prefix(id), Layout.prefixEnd(id));
        write(bytes.delete(instance.meta.getID(), Layout.metaKey(Layout.FREEING, id)));
        answers.add(() -> answer.complete(true));
      }
    }
    requests.add(request);
  }

  private void add(Request.Commit commit) throws RocksDBException {
    var state = planned(commit.store());
    boolean refused =
        state.phase() == Phase.DROPPED || !Objects.equals(state.head(), commit.expected());
    if (refused) {
      answers.add(() -> commit.answer().complete(new CommitResult.Refused(state.head())));
      return;
    }
    write(commit.bytes());
    plan(commit.store(), state, commit.next());
    commits++;
    answers.add(() -> commit.answer().complete(new CommitResult.Committed()));
  }

  private void add(Request.Mark mark) throws RocksDBException {
    var state = planned(mark.store());
    boolean loadable = state.phase() == Phase.ABSENT || state.phase() == Phase.LOADED;
    if (state.phase() == Phase.ABSENT) {
      var prefix = mark.store().prefix();
      write(new RocksBatch(32).put(instance.heads.getID(), prefix, Layout.LOADED));
      plan(mark.store(), state, Settled.LOADED);
    }
    answers.add(() -> mark.answer().complete(loadable));
  }

  private void add(Request.Drop drop) throws RocksDBException {
    var state = planned(drop.store());
    var id = drop.store().id();
    if (state.exists()) {
      write(
          new RocksBatch(64)
              .delete(instance.heads.getID(), drop.store().prefix())
              .put(instance.meta.getID(), Layout.metaKey(Layout.DROPPED, id), Layout.LOADED)
              .put(instance.meta.getID(), Layout.metaKey(Layout.FREEING, id), Layout.LOADED));
      plan(drop.store(), state, Settled.DROPPED);
      answers.add(drop.store()::dropped);
    }
    answers.add(() -> drop.answer().complete(state.exists()));
  }

  private Settled planned(RocksStore store) throws RocksDBException {
    if (store.planned != null) {
      return store.planned;
    }
    return switch (store.state(instance)) {
      case Settled settled -> settled;
      case Moving moving -> throw new IllegalStateException("Two writes at once: " + store.id());
    };
  }

  private void plan(RocksStore store, Settled from, Settled to) {
    if (store.planned == null) {
      touched.add(store);
      before.add(from);
    }
    store.planned = to;
  }

  private void write(RocksBatch bytes) {
    batches.add(bytes);
  }

  int commits() {
    return commits;
  }

  boolean writesNothing() {
    return batches.isEmpty();
  }

  byte[] joined(LogSeal seal) {
    return RocksBatch.join(batches, seal);
  }

  /** From here on readers must find out on which side of the write they are. */
  void move(long base) {
    for (int i = 0; i < touched.size(); i++) {
      var store = touched.get(i);
      store.state(new Moving(before.get(i), next(store), base));
    }
  }

  /** The write is durable and visible. */
  void settle() {
    for (var store : touched) {
      store.state(next(store));
      store.planned = null;
    }
  }

  void answer() {
    answers.forEach(Runnable::run);
  }

  /**
   * The write ended with a fault and what happened is now on disk: each partition's head, with the
   * id of its last commit, tells. Returns whether it happened.
   */
  boolean happenedIn(Instance reopened) throws RocksDBException {
    boolean happened = !touched.isEmpty();
    for (var store : touched) {
      happened &= reopened.state(store.id(), reopened.plain).equals(next(store));
    }
    return happened;
  }

  /** Settles the partitions if the write happened, and resets them if not; once only. */
  void end(boolean happened) {
    if (happened) {
      settle();
    } else {
      forget();
    }
  }

  /** The write did not happen: the partitions stay where they were. */
  void forget() {
    for (int i = 0; i < touched.size(); i++) {
      touched.get(i).state(before.get(i));
      touched.get(i).planned = null;
    }
  }

  /** Answers everybody with the same fault. */
  void fail(RuntimeException fault) {
    requests.forEach(request -> request.answer().completeExceptionally(fault));
  }

  private static Settled next(RocksStore store) {
    return Objects.requireNonNull(store.planned);
  }
}
