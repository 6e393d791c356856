package io.orrery.routing;

import io.orrery.operation.RequestCharge;
import java.util.concurrent.TimeUnit;

/**
 * How long scripts, or the functions of a query, have worked for one request, and its price. Time
 * can only be measured, and never gives the same figure twice. So the time that nearly all scripts
 * need is free, and these always cost the same; what takes longer pays for the time beyond it.
 */
final class ScriptTime {
  private static final long FREE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** About what a query pays that computes for so long. */
  private static final double UNITS_PER_SECOND = 100;

  /** Guarded by this, as all below. */
  private long nanos;

  private RequestCharge taken = RequestCharge.NONE;

  synchronized void add(long more) {
    nanos += more;
  }

  /** The price of what was added since the last call. */
  synchronized RequestCharge take() {
    double seconds = (double) Math.max(0, nanos - FREE_NANOS) / TimeUnit.SECONDS.toNanos(1);
    RequestCharge before = taken;
    taken = RequestCharge.units(Math.max(before.units(), UNITS_PER_SECOND * seconds));
    return new RequestCharge(taken.hundredths() - before.hundredths());
  }
}
