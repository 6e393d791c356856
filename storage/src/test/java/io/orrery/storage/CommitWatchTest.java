package io.orrery.storage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitWatchTest {
  private final AtomicLong now = new AtomicLong(-5);
  private final CommitWatch watch = new CommitWatch(now::get);

  private void pass(long millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void commitsThatEndWithinASecondAreNotSlow() {
    assertFalse(watch.isSlow());
    for (int i = 0; i < 10; i++) {
      watch.begin();
      pass(900);
      assertFalse(watch.isSlow());
      watch.end();
      assertFalse(watch.isSlow());
    }
    pass(10_000);
    assertFalse(watch.isSlow());
  }

  @Test
  void aCommitIsSlowWhileItRunsAndASecondLonger() {
    watch.begin();
    pass(1_001);
    assertTrue(watch.isSlow());
    watch.end();
    pass(900);
    assertTrue(watch.isSlow(), "the next one may be as slow");
    pass(101);
    assertFalse(watch.isSlow());
  }

  @Test
  void aQuickCommitEndsTheStall() {
    watch.begin();
    pass(2_000);
    watch.end();
    watch.begin();
    pass(1);
    watch.end();
    assertFalse(watch.isSlow());
  }
}
