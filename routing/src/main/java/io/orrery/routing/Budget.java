package io.orrery.routing;

import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;

/**
 * The request units of one range: they flow in evenly, at most a second's worth is kept, and
 * requests draw upon them. A request is let in while something is left; its price is known only
 * afterwards, so the balance may go below zero and later requests wait until it has recovered.
 */
final class Budget {
  private static final double KEPT_SECONDS = 1;
  private static final double DEBT_SECONDS_MAX = 10;

  /**
   * Once all is spent, so much is gathered before anybody is let in again. Those who were told to
   * wait then come in together; one by one, most would lose the race each time until their client
   * gives up.
   */
  private static final double GATHERED_SECONDS = 0.1;

  private static final double ROUNDING_UNITS = 1e-6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final HeavyKeys heavyKeys = new HeavyKeys();
  private double unitsPerSecond;
  private double balance;
  private long filledAtNanos;
  private boolean spent;
  private double unitsUsed;
  private long throttled;

  Budget(double unitsPerSecond, long nowNanos) {
    this.unitsPerSecond = unitsPerSecond;
    this.balance = unitsPerSecond * KEPT_SECONDS;
    this.filledAtNanos = nowNanos;
  }

  /** What is known of a range's use, for whoever asks why. */
  record Usage(double unitsPerSecond, double unitsUsed, long throttled, HeavyKeys.Top hottest) {}

  /** The share may change with the offer and with the number of ranges. */
  synchronized void share(double changed) {
    unitsPerSecond = changed;
  }

  /**
   * Takes the estimate and gives 0, or gives the milliseconds after which a request will be let in.
   */
  synchronized long admit(RequestCharge estimate, long nowNanos) {
    fill(nowNanos);
    double gathered = unitsPerSecond * GATHERED_SECONDS;
    spent = balance <= 0 || (spent && balance < gathered - ROUNDING_UNITS);
    if (spent) {
      throttled++;
      // One more than whole ones: then it must be enough.
      return (long) ((gathered - balance) / unitsPerSecond * NANOS_PER_SECOND / NANOS_PER_MILLI)
          + 1;
    }
    balance -= estimate.units();
    return 0;
  }

  /** Takes the estimate whatever is left: where the use is only to be known. */
  synchronized void take(RequestCharge estimate) {
    balance -= estimate.units();
  }

  /** Corrects the estimate by what the request has really cost. */
  synchronized void settle(RequestCharge estimate, RequestCharge charge) {
    correct(estimate, charge);
    heavyKeys.addOther(charge.units());
  }

  /** As {@link #settle}, and remembers whose request it was. */
  synchronized void settle(RequestCharge estimate, RequestCharge charge, PartitionKey key) {
    correct(estimate, charge);
    heavyKeys.add(key, charge.units());
  }

  private void correct(RequestCharge estimate, RequestCharge charge) {
    balance += estimate.units() - charge.units();
    balance = Math.max(balance, -DEBT_SECONDS_MAX * unitsPerSecond);
    unitsUsed += charge.units();
  }

  synchronized Usage usage() {
    return new Usage(unitsPerSecond, unitsUsed, throttled, heavyKeys.top());
  }

  private void fill(long nowNanos) {
    double seconds = Math.max(0, nowNanos - filledAtNanos) / NANOS_PER_SECOND;
    balance = Math.min(unitsPerSecond * KEPT_SECONDS, balance + seconds * unitsPerSecond);
    filledAtNanos = nowNanos;
  }
}
