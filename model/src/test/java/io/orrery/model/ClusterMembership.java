package io.orrery.model;

import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One node's view of the members, which follows every change a moment later. */
final class ClusterMembership implements Membership {
  private static final int DELAY_MILLIS_MAX = 20;

  private final Membership actual;
  private final ClusterProcess process;
  private final Random random;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile List<Member> view;

  ClusterMembership(Membership actual, ClusterProcess process, Random random) {
    this.actual = actual;
    this.process = process;
    this.random = random;
    view = actual.members();
    actual.onChange(this::changed);
  }

  private void changed() {
    CompletableFuture.delayedExecutor(
            random.nextInt(DELAY_MILLIS_MAX), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(
            () -> {
              process.awaitRunning();
              view = actual.members();
              listeners.forEach(Runnable::run);
            });
  }

  @Override
  public Member self() {
    process.awaitRunning();
    return actual.self();
  }

  @Override
  public List<Member> members() {
    process.awaitRunning();
    return view;
  }

  @Override
  public List<Member> membersNow() {
    process.awaitRunning();
    return actual.membersNow();
  }

  @Override
  public boolean isCurrent() {
    return process.awaitRunning() && actual.isCurrent();
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void close() {
    actual.close();
  }
}
