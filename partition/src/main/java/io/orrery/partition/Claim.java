package io.orrery.partition;

import io.orrery.partition.format.v1.Keys;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.time.Duration;

/**
 * How a partition is taken over: the one who served it is asked to stop, the epoch is raised so
 * that its commits are refused, and what it may still answer by its lease is waited for.
 */
final class Claim {
  private final Head head;
  private final Lease lease;
  private final boolean visit;

  private Claim(Head head, Lease lease, boolean visit) {
    this.head = head;
    this.lease = lease;
    this.visit = visit;
  }

  /** The head to go on from. */
  Head head() {
    return head;
  }

  Lease lease() {
    return lease;
  }

  /** Whether another process serves the partition: then nothing is written here. */
  boolean isVisit() {
    return visit;
  }

  /**
   * Looks at a partition that another process serves.
   *
   * @throws PartitionMoved when it is not there or sealed
   */
  static Claim visit(PartitionStore store) {
    return new Claim(serving(store), new Lease(Tenure.SOLE, 0), true);
  }

  /**
   * Takes a partition over, if that is not done yet; blocks.
   *
   * @throws PartitionMoved when it is not there or sealed
   */
  static Claim take(PartitionStore store, Tenure tenure) {
    while (true) {
      Head found = serving(store);
      long began = System.nanoTime();
      if (tenure.epoch(found.epoch()) == found.epoch()) {
        // Nobody knows when it was last renewed: the first read sees to that.
        return new Claim(found, new Lease(tenure, began - tenure.lease().toNanos()), false);
      }
      Duration wait = tenure.dismiss(store.id(), found.epoch());
      began = System.nanoTime();
      Head next = under(found, tenure.epoch(found.epoch()), found.state());
      if (store.commit(found, next, new Batch()) instanceof CommitResult.Committed) {
        sleep(wait);
        return new Claim(next, new Lease(tenure, began), false);
      }
    }
  }

  /** The head of a partition that takes calls. */
  static Head serving(PartitionStore store) {
    Head head;
    try (Snapshot snapshot = store.snapshot()) {
      head = snapshot.head();
    }
    if (head == null || head.state() == Head.State.SEALED) {
      throw new PartitionMoved();
    }
    if (head.schema() > Keys.SCHEMA) {
      throw new StorageFault(
          "Partition "
              + store.id().value()
              + " was written by a newer version: its layout is "
              + head.schema()
              + ", this version knows "
              + Keys.SCHEMA);
    }
    return head;
  }

  /** What follows a head when nothing happens but that it changes hands. */
  static Head under(Head head, long epoch, Head.State state) {
    return new Head(
        head.version() + 1,
        head.lsn(),
        epoch,
        state,
        head.commitTicks(),
        head.nextDocument(),
        head.schema(),
        CommitId.random());
  }

  /** Lets a lease run out. */
  static void sleep(Duration wait) {
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageFault("Interrupted while a partition was taken over", e);
    }
  }
}
