package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one request for a page draws upon the budgets of the ranges that it asks: an estimate when
 * it comes to a range, what the range really cost in the end. It outlives attempts: a page that is
 * begun again because the map changed is let in once per range and pays for its last attempt.
 */
final class PageDraw {
  private final Budgets budgets;
  private final RequestCharge estimate;

  /** Guarded by this, as all below. */
  private final Map<MappedRange, Draw> draws = new LinkedHashMap<>();

  private @Nullable Attempt attempt;
  private boolean settled;

  PageDraw(Budgets budgets, RequestCharge estimate) {
    this.budgets = budgets;
    this.estimate = estimate;
  }

  /**
   * What an attempt goes by.
   *
   * @param key set when the page stays within a logical partition
   */
  private record Attempt(
      CatalogImage image, ContainerEntry container, @Nullable PartitionKey key) {}

  private static final class Draw {
    private final Drawn drawn;
    private RequestCharge charge = RequestCharge.NONE;

    Draw(Drawn drawn) {
      this.drawn = drawn;
    }
  }

  /** Begins the page, or begins it again: what was read in vain is not the client's to pay. */
  synchronized void begin(
      CatalogImage image, ContainerEntry container, @Nullable PartitionKey key) {
    attempt = new Attempt(image, container, key);
    draws.values().forEach(draw -> draw.charge = RequestCharge.NONE);
  }

  /**
   * Lets the page come to a range, once.
   *
   * @throws Refused when the range's share is spent
   */
  synchronized void admit(MappedRange range) {
    Attempt present = attempt;
    // Whoever read ahead may come too late to be of use.
    if (present == null || settled || draws.containsKey(range)) {
      return;
    }
    draws.put(range, new Draw(budgets.draw(present.image, present.container, range, estimate)));
  }

  /** Adds to the price of the page on a range that it was let in to. */
  synchronized void used(MappedRange range, RequestCharge charge) {
    Draw draw = draws.get(range);
    if (draw != null) {
      draw.charge = draw.charge.plus(charge);
    }
  }

  /** Answers with the page, or with why not and what it cost until then. */
  Answer settled(Supplier<Answer> page) {
    try {
      return page.get();
    } catch (Refused e) {
      return Answer.of(e.refusal(), charge());
    } catch (QueryRefused e) {
      return Answer.of(QueryRefusals.of(e), charge());
    } finally {
      settle();
    }
  }

  private synchronized RequestCharge charge() {
    return draws.values().stream()
        .map(draw -> draw.charge)
        .reduce(RequestCharge.NONE, RequestCharge::plus);
  }

  private synchronized void settle() {
    settled = true;
    PartitionKey key = attempt == null ? null : attempt.key;
    for (Draw draw : draws.values()) {
      draw.drawn.settle(draw.charge, key);
    }
  }
}
