package io.orrery.model;

import io.orrery.operation.PartitionKeyRange;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Changes the database while clients work: its ranges, its index, its time. */
final class Operator {
  private static final int RANGES_MAX = 6;

  private final DatabaseDriver driver;
  private final Tally tally;
  private final Timeline timeline;
  private final Random random;

  Operator(DatabaseDriver driver, Tally tally, Timeline timeline, Random random) {
    this.driver = driver;
    this.tally = tally;
    this.timeline = timeline;
    this.random = random;
  }

  /**
   * Splits, merges or indexes anew; returns when that has ended.
   *
   * @param goesOn is asked before each phase of a split or merge; it is left there when it does not
   */
  void reshape(BooleanSupplier goesOn) {
    switch (random.nextInt(5)) {
      case 0 -> {
        Tally.Begun begun = tally.begin("Reindex");
        driver.index(random.nextInt(Definitions.policies()));
        var _ = goesOn.getAsBoolean(); // meanwhile entries are written and removed
        begun.end();
      }
      case 1, 2 -> split(goesOn);
      default -> join(goesOn);
    }
  }

  private void split(BooleanSupplier goesOn) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() >= RANGES_MAX) {
      join(goesOn);
      return;
    }
    Tally.Begun begun = tally.begin("Split");
    driver.split(ranges.get(random.nextInt(ranges.size())).id(), goesOn);
    begun.end();
  }

  private void join(BooleanSupplier goesOn) {
    List<PartitionKeyRange> ranges = driver.ranges();
    if (ranges.size() == 1) {
      split(goesOn);
      return;
    }
    int left = random.nextInt(ranges.size() - 1);
    Tally.Begun begun = tally.begin("Join");
    driver.merge(ranges.get(left).id(), ranges.get(left + 1).id(), goesOn);
    begun.end();
  }

  /**
   * Lets time pass, or changes how long items live. Only one operator does so.
   *
   * @param goesOn is asked when that has changed, which it seldom does
   */
  void time(BooleanSupplier goesOn) {
    Moment now = timeline.now();
    if (random.nextInt(4) == 0) {
      @Nullable Integer lives =
          switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> -1;
            default -> 2 + random.nextInt(3);
          };
      Tally.Begun begun = tally.begin("TimeToLive");
      timeline.change(new Moment(lives, now.seconds()), () -> driver.timeToLive(lives));
      var _ = goesOn.getAsBoolean();
      begun.end();
    } else {
      int by = 1 + random.nextInt(2);
      Tally.Begun begun = tally.begin("Clock");
      timeline.change(new Moment(now.timeToLive(), now.seconds() + by), () -> driver.advance(by));
      begun.end();
    }
  }
}
