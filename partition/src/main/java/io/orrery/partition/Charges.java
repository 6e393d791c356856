package io.orrery.partition;

import io.orrery.operation.RequestCharge;
import io.orrery.partition.format.v1.ItemRecord;
import org.jspecify.annotations.Nullable;

/**
 * Prices by the documented tables (illustrative figures of the service's page on request unit
 * consumption), interpolated on stored bytes.
 */
public final class Charges {
  private static final double[] KILOBYTES = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  private static final double[] READ = {
    1.00, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.90, 291.80
  };
  private static final double[] WRITE = {
    4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250
  };
  private static final double PER_TERM = 0.2;
  private static final double PER_PATCH_STEP = 0.4;
  private static final double FEED_PAGE = 2.5;
  private static final double PER_RETRIEVED = 0.01;
  private static final double PER_ROW = 0.005;
  private static final double PER_INDEX_ENTRY = 0.001;

  /** A thousand combinations of a join cost as much as five items. */
  private static final double PER_STEP = 0.0001;

  private static final long STEPS_PER_ITEM = 200;
  private static final long BYTES_PER_STEP = 16;

  /** As for the text of a query. */
  private static final long STEPS_PER_CHARACTER = 2;

  private static final long FREE_TEXT_STEPS = 10_000;

  /** A refused write that found no item. */
  public static final RequestCharge REFUSED = RequestCharge.units(1);

  private Charges() {}

  public static RequestCharge read(long sizeBytes) {
    return RequestCharge.units(at(READ, sizeBytes));
  }

  /** A refused write, which has read the item that is there. */
  static RequestCharge refused(@Nullable ItemRecord present) {
    return present == null ? REFUSED : read(present.bodyBytes());
  }

  /** The part of {@link #refused} beyond {@link #REFUSED}. */
  static RequestCharge beyondRefused(@Nullable ItemRecord present) {
    return new RequestCharge(refused(present).hundredths() - REFUSED.hundredths());
  }

  public static RequestCharge create(long sizeBytes, int terms) {
    return RequestCharge.units(at(WRITE, sizeBytes) + PER_TERM * terms);
  }

  static RequestCharge delete(long sizeBytes, int terms) {
    return create(sizeBytes, terms);
  }

  static RequestCharge replace(long oldBytes, long newBytes, int changedTerms) {
    return RequestCharge.units(at(WRITE, oldBytes) + at(WRITE, newBytes) + PER_TERM * changedTerms);
  }

  static RequestCharge patch(int steps) {
    return RequestCharge.units(PER_PATCH_STEP * steps);
  }

  /** The least price of asking a partition for a page. */
  static RequestCharge page() {
    return RequestCharge.units(FEED_PAGE);
  }

  /**
   * What was read for a page and is no part of it, such as items of other keys: as much as a query
   * pays for items that its filter leaves out.
   */
  static RequestCharge passedOver(long count, long bytes) {
    return RequestCharge.units(PER_RETRIEVED * count + PER_RETRIEVED * bytes / 1024);
  }

  /** By the work done; asking the partition at all has a price of its own. */
  static RequestCharge query(QueryWork work) {
    return RequestCharge.units(
        PER_RETRIEVED * work.retrievedCount()
            + PER_RETRIEVED * work.retrievedBytes() / 1024
            + PER_ROW * work.outputCount()
            + PER_INDEX_ENTRY * work.indexEntriesRead()
            + PER_STEP * Math.max(0, work.steps() - paidSteps(work)));
  }

  /** The price of an item and of its bytes covers a usual filter and projection. */
  private static long paidSteps(QueryWork work) {
    return paidSteps(work.retrievedCount(), work.retrievedBytes());
  }

  private static long paidSteps(long count, long bytes) {
    return STEPS_PER_ITEM * count + bytes / BYTES_PER_STEP;
  }

  /** The price of deciding a condition on an item, beyond what the price of its write covers. */
  static RequestCharge condition(long steps, long itemBytes) {
    return RequestCharge.units(PER_STEP * Math.max(0, steps - paidSteps(1, itemBytes)));
  }

  /** The price of reading the text of a condition; that of a usual one is free. */
  static RequestCharge conditionText(long characters) {
    long steps = STEPS_PER_CHARACTER * characters - FREE_TEXT_STEPS;
    return RequestCharge.units(PER_STEP * Math.max(0, steps));
  }

  private static double at(double[] table, long sizeBytes) {
    double kilobytes = sizeBytes / 1024.0;
    if (kilobytes <= KILOBYTES[0]) {
      return table[0];
    }
    for (int i = 1; i < KILOBYTES.length; i++) {
      if (kilobytes <= KILOBYTES[i]) {
        double part = (kilobytes - KILOBYTES[i - 1]) / (KILOBYTES[i] - KILOBYTES[i - 1]);
        return table[i - 1] + part * (table[i] - table[i - 1]);
      }
    }
    return table[table.length - 1] * kilobytes / KILOBYTES[KILOBYTES.length - 1];
  }
}
