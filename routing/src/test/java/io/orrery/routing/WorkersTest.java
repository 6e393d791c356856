package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkersTest {
  private static final int MOST = 10;

  /** Keeps what was answered. */
  private static final class Kept implements Database.Reply {
    volatile @Nullable Answer answer;

    @Override
    public void answer(Answer given) {
      answer = given;
    }

    @Override
    public void fault(Throwable fault) {
      throw new AssertionError(fault);
    }
  }

  @Test
  void oneContainerTakesAtMostHalfOfTheRoom() {
    var released = new CountDownLatch(1);
    try (var workers = new Workers(MOST)) {
      List<Kept> replies = new ArrayList<>();
      for (int i = 0; i <= MOST / 2; i++) {
        var reply = new Kept();
        workers.run(reply, "busy", Thread::startVirtualThread, () -> await(released));
        replies.add(reply);
      }
      Answer refused = replies.getLast().answer;
      assertInstanceOf(Refusal.Unavailable.class, refused == null ? null : refused.outcome());
      replies.removeLast();
      replies.forEach(reply -> assertNull(reply.answer));
      var other = new CompletableFuture<String>();
      workers.run(new Kept(), "other", Thread::startVirtualThread, () -> other.complete("ran"));
      assertEquals("ran", other.join());
      released.countDown();
    }
  }

  @Test
  void roomComesBackWhenWorkEnds() {
    try (var workers = new Workers(2)) {
      for (int i = 0; i < 100; i++) {
        var ran = new CompletableFuture<String>();
        var reply = new Kept();
        Runnable work = () -> ran.complete("ran");
        workers.run(reply, "c", Runnable::run, work);
        assertNull(reply.answer);
        assertEquals("ran", ran.join());
      }
    }
  }

  @Test
  @Timeout(60)
  void finishingAgainDoesNotWaitAndNothingRunsAfterwards() {
    try (var workers = new Workers(MOST)) {
      workers.run(new Kept(), "c", Runnable::run, () -> {});
      workers.finish();
      workers.finish();
      var late = new Kept();
      workers.run(late, "c", Runnable::run, () -> late.fault(new AssertionError("ran")));
      Answer refused = late.answer;
      assertInstanceOf(Refusal.Unavailable.class, refused == null ? null : refused.outcome());
    }
  }

  private static void await(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
