package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.RequestCharge;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScriptTimeTest {
  private final ScriptTime time = new ScriptTime();

  private double unitsAfter(long millis) {
    time.add(TimeUnit.MILLISECONDS.toNanos(millis));
    return time.take().units();
  }

  @Test
  void halfASecondIsFreeAndEachTenMillisecondsBeyondCostAUnit() {
    assertEquals(0, unitsAfter(499));
    assertEquals(0, unitsAfter(1));
    assertEquals(1, unitsAfter(10));
    assertEquals(100, unitsAfter(1_000));
  }

  @Test
  void whatWasTakenIsNotTakenAgain() {
    assertEquals(50, unitsAfter(1_000));
    assertEquals(RequestCharge.NONE, time.take());
  }

  /** The functions of a query work a little for each of many answers. */
  @Test
  void smallPartsCostWhatTheirSumDoes() {
    double units = 0;
    for (int i = 0; i < 1_000; i++) {
      units += unitsAfter(1);
    }
    assertEquals(50, units, 0.01);
  }
}
