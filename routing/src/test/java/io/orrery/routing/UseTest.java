package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.PartitionKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is remembered of a range's use. */
class UseTest {
  private static final double EXACT = 1e-9;

  private static long seconds(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void rateIsThatOfTheLastFiveSeconds() {
    var meter = new RateMeter(-1);
    for (int second = 0; second < 20; second++) {
      meter.add(100, seconds(second));
    }
    assertEquals(100, meter.perSecond(seconds(19)), 25);
    assertEquals(50, meter.perSecond(seconds(22)), 25);
    assertEquals(0, meter.perSecond(seconds(30)), EXACT);
    assertEquals(0, meter.perSecond(seconds(29)), EXACT);
  }

  @Test
  void heaviestKeysComeFirst() {
    var keys = new HeavyKeys();
    for (int n = 1; n <= 10; n++) {
      keys.add(PartitionKey.of("k" + n), n);
    }
    assertEquals(5, keys.top().size());
    assertEquals(new HeavyKeys.Heavy(PartitionKey.of("k10"), 10 / 55.0), keys.top().getFirst());
    assertEquals(keys.top().getFirst(), keys.heaviest());
    assertEquals(PartitionKey.of("k6"), keys.top().getLast().key());
  }
}
