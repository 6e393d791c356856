package io.orrery.routing.definition;

import io.orrery.operation.Body;
import io.orrery.operation.Throughput;
import io.orrery.value.MalformedBody;
import org.jspecify.annotations.Nullable;

/** Which throughput can be asked for. */
public final class ThroughputRules {
  public static final Throughput DEFAULT = new Throughput.Manual(400);

  private static final int MANUAL_MIN = 400;
  private static final int MANUAL_STEP = 100;
  private static final int AUTOSCALE_MIN = 1_000;
  private static final int AUTOSCALE_STEP = 1_000;
  private static final int UNITS_MAX = 1_000_000;
  private static final int FIXED_UNITS_MAX = 10_000;
  private static final int INCREMENT_PERCENT_MAX = 100;

  private ThroughputRules() {}

  /**
   * Gives back what may be had.
   *
   * @param fixed whether it is for a container without a partition key
   * @throws MalformedBody naming the rule and the cure
   */
  public static Throughput check(Throughput asked, boolean fixed) {
    int units = asked.peakUnitsPerSecond();
    boolean autoscale = asked instanceof Throughput.Autoscale;
    int least = autoscale ? AUTOSCALE_MIN : MANUAL_MIN;
    int step = autoscale ? AUTOSCALE_STEP : MANUAL_STEP;
    int most = fixed ? FIXED_UNITS_MAX : UNITS_MAX;
    String what = autoscale ? "The autoscale maximum of " : "The throughput of ";
    if (units < least) {
      throw new MalformedBody(
          what + units + " RU/s is below the least offered: ask for " + least + " or more.");
    }
    if (units > most) {
      throw new MalformedBody(
          what
              + units
              + " RU/s is above the most offered"
              + (fixed ? " to a container without a partition key" : "")
              + ": ask for "
              + most
              + " or less.");
    }
    if (units % step != 0) {
      int below = units / step * step;
      throw new MalformedBody(
          what
              + units
              + " RU/s is not a multiple of "
              + step
              + ": ask for "
              + below
              + " or "
              + (below + step)
              + ".");
    }
    if (asked instanceof Throughput.Autoscale(int maximum, int percent)
        && (percent < 0 || percent > INCREMENT_PERCENT_MAX)) {
      throw new MalformedBody(
          "The incrementPercent of " + percent + " is not a percentage: give 0 to 100.");
    }
    return asked;
  }

  /** The least that a replace may ask for, in units of the present kind of throughput. */
  public static int minimum(boolean autoscale, int highestEver) {
    return autoscale
        ? Math.max(AUTOSCALE_MIN, roundUp(highestEver / 10, AUTOSCALE_STEP))
        : Math.max(MANUAL_MIN, roundUp(highestEver / 100, MANUAL_STEP));
  }

  private static int roundUp(int units, int step) {
    return (units + step - 1) / step * step;
  }

  /**
   * The throughput that an offer's body asks for.
   *
   * @param offerId what the body's id must be where it has one
   * @throws MalformedBody when there is none
   */
  public static Throughput ofOffer(Body body, String offerId) {
    Members offer = Members.of(body, "The offer");
    if (!offer.textOr("id", offerId).equals(offerId)) {
      throw new MalformedBody("The id of an offer cannot be changed");
    }
    Members content = offer.object("content");
    if (content == null) {
      throw offer.wrong("content", "an object with offerThroughput or offerAutopilotSettings");
    }
    Members autoscale = content.object("offerAutopilotSettings");
    if (autoscale != null && autoscale.has("maxThroughput")) {
      return new Throughput.Autoscale(
          autoscale.integerBetween("maxThroughput", 0, Integer.MAX_VALUE),
          incrementPercent(autoscale));
    }
    return new Throughput.Manual(content.integerBetween("offerThroughput", 0, Integer.MAX_VALUE));
  }

  private static int incrementPercent(Members autoscale) {
    Members upgrade = autoscale.object("autoUpgradePolicy");
    Members policy = upgrade == null ? null : upgrade.object("throughputPolicy");
    Integer percent = policy == null ? null : policy.integer("incrementPercent");
    return percent == null ? 0 : percent;
  }

  /** The text that refuses more than the partitions of a container can carry. */
  public static String aboveCapacity(int asked, int capacity, @Nullable String reason) {
    return "The throughput of "
        + asked
        + " RU/s is above the "
        + capacity
        + " RU/s that the container's partitions carry, and it may not split"
        + (reason == null ? "" : " (" + reason + ")")
        + ": ask for "
        + capacity
        + " or less, or move the items to a new container.";
  }
}
