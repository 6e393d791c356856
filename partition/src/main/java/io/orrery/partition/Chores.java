package io.orrery.partition;

import io.orrery.storage.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The upkeep of a partition: begins what is due, and runs it between the groups of clients. */
final class Chores {
  private static final long TRIM_EVERY_LSNS = 4_096;

  private final GroupCommits commits;
  private final Consumer<Chore> submit;
  private final AtomicBoolean reindexing = new AtomicBoolean();
  private final AtomicBoolean expiring = new AtomicBoolean();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final Sweep.BlockedMarkers blocked = new Sweep.BlockedMarkers();
  private final Expire.Progress expiry = new Expire.Progress();
  private final Trim.Due trim = new Trim.Due();
  private final Quarantine quarantine;
  private final StoppedUpkeep stopped;

  /** Upkeep deferred until a copy of the partition ends; null while there is no copy. */
  private @Nullable List<Chore> paused;

  /**
   * @param submit lets a chore wait for its turn
   */
  Chores(PartitionId partition, GroupCommits commits, Consumer<Chore> submit) {
    this.commits = commits;
    this.submit = submit;
    this.quarantine = new Quarantine(partition);
    this.stopped = new StoppedUpkeep(partition);
  }

  Quarantine quarantine() {
    return quarantine;
  }

  /** Other settings: what follows from them begins. */
  void settingsChanged() {
    expiry.reset();
    trim.reset();
    reindexIfNeeded();
  }

  void reindexIfNeeded() {
    IndexState now = commits.left().index();
    boolean needed = now.move() != null || !now.policy().equals(commits.settings().indexPolicy());
    if (needed && reindexing.compareAndSet(false, true)) {
      submit.accept(new Reindex(quarantine));
    }
  }

  /** Begins to remove items whose time is over, if there may be some. */
  void expire() {
    TimeToLive rules = commits.settings().timeToLive();
    if (rules.isOn()
        && expiry.isDue(commits.left().lsn(), commits.nowSeconds())
        && expiring.compareAndSet(false, true)) {
      submit.accept(Expire.begin(expiry, rules, quarantine, commits.nowSeconds()));
    }
  }

  /** Begins to remove history that is older than it has to be, if there may be some. */
  void trim() {
    if (!commits.settings().timeToLive().isOn() && !expiring.get()) {
      quarantine.forgetUnread(ReadFaults.Upkeep.EXPIRY); // expiry no longer looks for it
    }
    blocked.forgetUnread(commits.nowSeconds(), quarantine);
    sweepIfNeeded(); // a storage that failed may have stopped it
    if (trim.isReached(commits.settings().ticks().getAsLong())) {
      submitTrim();
    }
  }

  private void submitTrim() {
    submit.accept(new Trim(commits.settings().historyRetention(), trim));
  }

  /** Begins one sweep of all deleted keys, unless one is under way or none has items left. */
  void sweepIfNeeded() {
    if (blocked.leavesSomeOf(commits.left().markers()) && sweeping.compareAndSet(false, true)) {
      submit.accept(new Sweep(blocked, quarantine));
    }
  }

  /** Begins what follows from a commit; on the writer's thread, as all below. */
  void committed(GroupCommits.Left before) {
    GroupCommits.Left now = commits.left();
    if (!before.markers().equals(now.markers())) {
      sweepIfNeeded();
    }
    if (now.index().move() != null) {
      reindexIfNeeded(); // a storage that failed may have stopped it
    }
    if (before.lsn() / TRIM_EVERY_LSNS != now.lsn() / TRIM_EVERY_LSNS) {
      submitTrim();
    }
  }

  /** Lets chores wait; false when that is not possible while items move to another policy. */
  boolean pause() {
    boolean free = commits.left().index().move() == null && paused == null;
    if (free) {
      paused = new ArrayList<>();
    }
    return free;
  }

  void resume() {
    List<Chore> waited = paused;
    paused = null;
    if (waited != null) {
      waited.forEach(submit);
    }
  }

  void run(Chore chore) {
    if (paused != null) {
      paused.add(chore);
      return;
    }
    try {
      Chore rest = commit(chore);
      if (rest == null) {
        ended(chore);
      } else {
        submit.accept(rest);
      }
    } catch (RuntimeException | Error e) {
      // Expiry, sweeps and trims begin again at the next look, a move of the index with the next
      // commit.
      stopped.add(chore, e);
      failed(chore);
    }
  }

  /** What is left to do. A commit that was refused is evaluated again: the last one counts. */
  private @Nullable Chore commit(Chore chore) {
    var rest = new Rest();
    commits.commit(
        (group, state) -> rest.chore = chore.run(group, state, commits.left().markers()));
    return rest.chore;
  }

  private static final class Rest {
    private @Nullable Chore chore;
  }

  private void ended(Chore chore) {
    if (chore instanceof Expire) {
      expiring.set(false);
    }
    if (chore instanceof Sweep) {
      sweeping.set(false);
    }
    if (chore instanceof Reindex) {
      reindexing.set(false);
      reindexIfNeeded(); // settings may have changed behind its back
    }
  }

  private void failed(Chore chore) {
    if (chore instanceof Sweep) {
      sweeping.set(false);
    }
    if (chore instanceof Reindex) {
      reindexing.set(false);
    }
    if (chore instanceof Trim) {
      trim.reset();
    }
    if (chore instanceof Expire) {
      expiry.restart();
      expiring.set(false);
    }
  }
}
