package io.orrery.routing;

import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.io.Serializable;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
  private static final double GATHERED_SECONDS = 0.25;

  private static final double ROUNDING_UNITS = 1e-6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final HeavyKeys heavyKeys = new HeavyKeys();
  private final LongSupplier nanos;
  private final RateMeter rate;
  private double unitsPerSecond;
  private double balance;
  private long filledAtNanos;
  private boolean spent;
  private double unitsUsed;
  private long throttled;

  Budget(double unitsPerSecond, LongSupplier nanos) {
    this.unitsPerSecond = unitsPerSecond;
    this.balance = unitsPerSecond * KEPT_SECONDS;
    this.nanos = nanos;
    this.filledAtNanos = nanos.getAsLong();
    this.rate = new RateMeter(filledAtNanos);
  }

  /**
   * What is known of a range's use, for whoever asks why.
   *
   * @param unitsPerSecond what it may use
   * @param unitsUsed since the server started
   * @param recentPerSecond what it used of late
   * @param throttled how many requests were refused
   */
  record Usage(
      double unitsPerSecond,
      double unitsUsed,
      double recentPerSecond,
      long throttled,
      List<HeavyKeys.Heavy> hottest)
      implements Serializable {

    /** Of a range that nobody has asked for anything yet. */
    static Usage none(double unitsPerSecond) {
      return new Usage(unitsPerSecond, 0, 0, 0, List.of());
    }
  }

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

  /**
   * Corrects the estimate by what the request has really cost, and remembers whose it was.
   *
   * @param key null when it concerned several
   */
  synchronized void settle(
      RequestCharge estimate, RequestCharge charge, @Nullable PartitionKey key) {
    correct(estimate, charge);
    if (key == null) {
      heavyKeys.addOther(charge.units());
    } else {
      heavyKeys.add(key, charge.units());
    }
  }

  private void correct(RequestCharge estimate, RequestCharge charge) {
    balance += estimate.units() - charge.units();
    balance = Math.max(balance, -DEBT_SECONDS_MAX * unitsPerSecond);
    unitsUsed += charge.units();
    rate.add(charge.units(), nanos.getAsLong());
  }

  /** Why a request to the range was refused. */
  synchronized Refusal.Hint hint(String rangeId) {
    HeavyKeys.Heavy hottest = heavyKeys.heaviest();
    return hottest == null
        ? new Refusal.Hint(rangeId, unitsPerSecond, null, 0)
        : new Refusal.Hint(rangeId, unitsPerSecond, hottest.key(), hottest.share());
  }

  synchronized Usage usage() {
    return new Usage(
        unitsPerSecond, unitsUsed, rate.perSecond(nanos.getAsLong()), throttled, heavyKeys.top());
  }

  private void fill(long nowNanos) {
    double seconds = Math.max(0, nowNanos - filledAtNanos) / NANOS_PER_SECOND;
    balance = Math.min(unitsPerSecond * KEPT_SECONDS, balance + seconds * unitsPerSecond);
    filledAtNanos = nowNanos;
  }
}
