package io.orrery.routing;

import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ItemOperation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.Charges;
import io.orrery.partition.LogicalKey;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt of an item operation draws on the budget of its range: first an estimate, for a
 * large body before it is parsed, in the end its price.
 */
final class ItemDraw {
  private static final RequestCharge READ_ESTIMATE = RequestCharge.units(1);
  private static final RequestCharge WRITE_ESTIMATE = RequestCharge.units(5);

  private final Budgets budgets;
  private final ItemOperation operation;
  private final long bodyBytes;

  /** Set once the operation is let in, as is the key where it is known. */
  private @Nullable Budget budget;

  private @Nullable PartitionKey key;
  private RequestCharge estimate = RequestCharge.NONE;

  ItemDraw(Budgets budgets, ItemOperation operation) {
    this.budgets = budgets;
    this.operation = operation;
    this.bodyBytes = LargeBodies.bytes(operation);
  }

  /**
   * Admits a large body to be parsed: draws on the range of the key that the headers name, or on
   * the first range.
   *
   * @throws Refused when the range's share is spent
   */
  void beforeParsing(CatalogImage image, ContainerEntry container, ItemTasks tasks) {
    if (LargeBody.isLarge(bodyBytes)) {
      LogicalKey named = tasks.named(operation.scope(), container);
      if (named == null) {
        admit(image, container, container.map().ranges().getFirst(), null);
      } else {
        admit(image, container, container.map().find(named.epk()), named.key());
      }
    }
  }

  /**
   * Admits the operation to its range: from now on it draws on this range instead of any other.
   *
   * @throws Refused when the range's share is spent
   */
  void admit(
      CatalogImage image, ContainerEntry container, MappedRange range, @Nullable PartitionKey of) {
    Budget own = budgets.of(image, container, range);
    if (own != budget) {
      RequestCharge more = estimate();
      budgets.admit(own, more, range);
      giveBack();
      budget = own;
      estimate = more;
    }
    key = of;
  }

  /** The usual price, with a large body at least that of writing its bytes. */
  private RequestCharge estimate() {
    RequestCharge usual =
        switch (operation) {
          case Operation.ReadItem _ -> READ_ESTIMATE;
          case Operation.ExecuteBatch(var scope, var steps) ->
              RequestCharge.units(WRITE_ESTIMATE.units() * steps.size());
          default -> WRITE_ESTIMATE;
        };
    return LargeBody.isLarge(bodyBytes) ? usual.atLeast(Charges.create(bodyBytes, 0)) : usual;
  }

  /** Settles and returns the price, which is no less than that of parsing a large body. */
  RequestCharge pay(RequestCharge price) {
    if (budget == null) {
      return RequestCharge.NONE;
    }
    RequestCharge paid = price.atLeast(LargeBodies.least(bodyBytes));
    budget.settle(estimate, paid, key);
    return paid;
  }

  /** Returns the estimate: the server failed, or the operation is tried again. */
  void giveBack() {
    if (budget != null) {
      budget.settle(estimate, RequestCharge.NONE, key);
    }
  }
}
