package io.orrery.hbase;

import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.StorageFault;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that share a table, as ZooKeeper knows them. One thread looks who is there, when
 * ZooKeeper tells of a change and several times per session in any case; each look proves that the
 * session was alive after the moment at which it was begun. ZooKeeper forgets a session no earlier
 * than its length after the last sign of life, and two thirds of that are relied on: the rest is
 * for a sign of life that the server which had it could not pass on before it died.
 */
final class HbaseMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(HbaseMembership.class);
  private static final int LOOKS_PER_SESSION = 6;
  private static final long PAUSE_MILLIS = 200;
  private static final long CLOSE_MILLIS = 10_000;

  private final HbaseConfig config;
  private final Joining joining;

  /** Has a permit when it may be worth to look. */
  private final Semaphore stirred = new Semaphore(0);

  private final MembershipListeners listeners;
  private final Thread thread;

  /** Null between the end of one and the begin of the next. */
  private volatile @Nullable Stay stay;

  private volatile Standing standing;
  private volatile boolean closed;

  /** What was wrong when the thread looked last, or nothing; the log tells when it changes. */
  private volatile String trouble = "";

  /**
   * What is known.
   *
   * @param until the nanosecond before which this node is current
   */
  private record Standing(Member self, List<Member> members, long until) {
    static Standing after(Stay.Look look, Member self, Stay stay) {
      long relied = stay.agreed().toNanos() * 2 / 3;
      return new Standing(self, look.members(), look.asked() + relied);
    }

    Standing ended() {
      return new Standing(self, members, System.nanoTime());
    }

    long currentNanos() {
      return until - System.nanoTime();
    }
  }

  private HbaseMembership(HbaseConfig config, Joining joining, Stay first) {
    this.config = config;
    this.joining = joining;
    stay = first;
    standing = Standing.after(first.entered(), first.self(), first);
    listeners = new MembershipListeners(this::state);
    thread = Thread.ofPlatform().name("membership").daemon().unstarted(this::keep);
  }

  /** Joins, or fails with a StorageFault that says what to do about it. */
  static HbaseMembership join(HbaseConfig config, Joining joining) {
    try {
      Stay first = Stay.begin(config, joining);
      var membership = new HbaseMembership(config, joining, first);
      membership.tellOf(first);
      first.onStir(membership.stirred::release);
      membership.listeners.start();
      membership.thread.start();
      return membership;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageFault("Joining was interrupted", e);
    }
  }

  @Override
  public Member self() {
    return standing.self();
  }

  @Override
  public List<Member> members() {
    return standing.members();
  }

  @Override
  public boolean isCurrent() {
    return !closed && standing.currentNanos() > 0;
  }

  @Override
  public List<Member> membersNow() {
    long deadline = System.nanoTime() + config.session().toNanos();
    try {
      while (true) {
        Stay present = stay;
        KeeperException reason = null;
        if (present != null && !closed) {
          try {
            return present.look().members();
          } catch (KeeperException e) {
            reason = e;
          }
        }
        if (closed || System.nanoTime() - deadline > 0) {
          throw unknown(reason);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageFault("The question for the nodes was interrupted", e);
    }
  }

  private StorageFault unknown(@Nullable KeeperException reason) {
    if (closed) {
      return new StorageFault("This node has left");
    }
    String message =
        ("ZooKeeper at " + config.zookeeper() + " does not tell which nodes are there")
            + "; see that it runs and can be reached";
    return reason == null
        ? new StorageFault(message + " (this node is not joined)")
        : new StorageFault(message + " (" + reason.getMessage() + ")", reason);
  }

  @Override
  public @Nullable String trouble() {
    if (isCurrent()) {
      return null;
    }
    String known = trouble;
    return known.isEmpty()
        ? "this node has not been heard by ZooKeeper at " + config.zookeeper() + " for too long"
        : known;
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  private MembershipListeners.State state() {
    Standing now = standing;
    long left = TimeUnit.NANOSECONDS.toMillis(now.currentNanos()) + 1;
    return new MembershipListeners.State(now.self(), now.members(), Math.max(0, left));
  }

  /** Looks again and again; begins a new stay when the last one is over. */
  private void keep() {
    try {
      while (!closed) {
        Stay present = stay;
        boolean well = present == null ? beginAgain() : look(present);
        long pause =
            well && present != null
                ? present.agreed().toMillis() / LOOKS_PER_SESSION
                : PAUSE_MILLIS;
        var _ = stirred.tryAcquire(pause, TimeUnit.MILLISECONDS);
        stirred.drainPermits();
      }
    } catch (InterruptedException e) {
      // Only closing interrupts.
    }
  }

  private boolean beginAgain() throws InterruptedException {
    try {
      Stay next = Stay.begin(config, joining);
      note(Standing.after(next.entered(), next.self(), next));
      stay = next;
      trouble = "";
      next.onStir(stirred::release);
      tellOf(next);
      return true;
    } catch (StorageFault e) {
      warn("this node is not joined: " + e.getMessage());
      return false;
    }
  }

  private boolean look(Stay present) throws InterruptedException {
    try {
      Stay.Look look = present.look();
      Member self = look.self();
      if (self == null) {
        lose(present);
        return false;
      }
      note(Standing.after(look, self, present));
      if (!trouble.isEmpty()) {
        LOG.info("ZooKeeper answers again");
        trouble = "";
      }
      return true;
    } catch (KeeperException e) {
      if (present.over() || e instanceof KeeperException.NoNodeException) {
        lose(present);
      } else {
        warn("ZooKeeper at " + config.zookeeper() + " does not answer: " + e.getMessage());
      }
      return false;
    }
  }

  private void lose(Stay over) {
    standing = standing.ended();
    stay = null;
    warn("ZooKeeper at " + config.zookeeper() + " took this node for dead; it joins again");
    over.close();
    listeners.stir();
  }

  private void warn(String what) {
    if (!what.equals(trouble)) {
      LOG.warn("Node {}: {}", standing.self().number(), what);
      trouble = what;
    }
  }

  private void note(Standing next) {
    Standing last = standing;
    standing = next;
    tellOf(last, next);
    listeners.stir();
  }

  private void tellOf(Stay begun) {
    LOG.info(
        "Joined as node {} at {}, with a session of {} ms; all nodes: {}",
        begun.self().number(),
        begun.self().address(),
        begun.agreed().toMillis(),
        begun.entered().members().stream().map(Member::address).collect(Collectors.joining(", ")));
  }

  private static void tellOf(Standing last, Standing next) {
    for (Member member : next.members()) {
      if (!last.members().contains(member) && !member.equals(next.self())) {
        LOG.info("Node {} at {} joined", member.number(), member.address());
      }
    }
    for (Member member : last.members()) {
      if (!next.members().contains(member) && !member.equals(last.self())) {
        LOG.info("Node {} at {} left", member.number(), member.address());
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Stay last = stay;
    if (last != null) {
      last.close();
      LOG.info("Node {} left", standing.self().number());
    }
    listeners.close();
  }
}
