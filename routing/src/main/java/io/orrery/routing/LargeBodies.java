package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Grant;
import io.orrery.operation.ItemScope;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ItemOperation;
import io.orrery.operation.Patch;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.Charges;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Prices large bodies by their size, whatever the outcome of the request. A body that a protocol
 * parses is charged on the node that parsed it, also where another node serves the range.
 */
final class LargeBodies {
  private final Catalog catalog;
  private final Budgets budgets;
  private final ItemTasks tasks;
  private final TokenGate gate;

  LargeBodies(Catalog catalog, Budgets budgets, ItemTasks tasks, TokenGate gate) {
    this.catalog = catalog;
    this.budgets = budgets;
    this.tasks = tasks;
    this.gate = gate;
  }

  /** The least price of bodies of that size: that of reading an item as large. */
  static RequestCharge least(long bytes) {
    return LargeBody.isLarge(bytes) ? Charges.read(bytes) : RequestCharge.NONE;
  }

  /** The bytes of all bodies of an operation. */
  static long bytes(ItemOperation operation) {
    return sum(operation, body -> body.bytes().size(), Patch::valueBytes);
  }

  static long bytes(List<ItemOperation> operations) {
    return operations.stream().mapToLong(LargeBodies::bytes).sum();
  }

  /** A sum over all bodies and patches of an operation. */
  static long sum(
      ItemOperation operation, ToLongFunction<Body> ofBody, ToLongFunction<Patch> ofPatch) {
    return switch (operation) {
      case Operation.CreateItem(var scope, var body) -> ofBody.applyAsLong(body);
      case Operation.UpsertItem(var scope, var body, var precondition) -> ofBody.applyAsLong(body);
      case Operation.ReplaceItem(var scope, var ref, var body, var precondition) ->
          ofBody.applyAsLong(body);
      case Operation.MergeItem(var scope, var body, var precondition, var rule) ->
          ofBody.applyAsLong(body);
      case Operation.PatchItem(var scope, var ref, var patch, var precondition) ->
          ofPatch.applyAsLong(patch);
      case Operation.ExecuteBatch(var scope, var steps) -> {
        long sum = 0;
        for (ItemOperation step : steps) {
          sum += sum(step, ofBody, ofPatch);
        }
        yield sum;
      }
      case Operation.ReadItem _, Operation.DeleteItem _, Operation.DeleteLogicalPartition _ -> 0;
    };
  }

  /** Why a body may not be parsed at present; null when it may. */
  @Nullable Refusal refusal(LargeBody body) {
    try {
      Payer payer = payer(body);
      budgets.admit(payer.budget, RequestCharge.NONE, payer.range);
      return null;
    } catch (Refused e) {
      // The operation itself is refused for anything else, with the latest catalog.
      Refusal refusal = e.refusal();
      boolean sure = refusal instanceof Refusal.Throttled || refusal instanceof Refusal.Forbidden;
      return sure ? refusal : null;
    }
  }

  /** Charges the difference to the least price; returns the total. */
  RequestCharge charge(LargeBody body, RequestCharge paid) {
    RequestCharge price = paid.atLeast(least(body.bytes()));
    if (price.equals(paid)) {
      return paid;
    }
    try {
      var missing = new RequestCharge(price.hundredths() - paid.hundredths());
      payer(body).budget.settle(RequestCharge.NONE, missing, null);
      return price;
    } catch (Refused noContainer) {
      return paid;
    }
  }

  /** Charges for an operation that a token does not allow: its protocol has parsed it. */
  RequestCharge charge(Grant grant, Operation operation) {
    LargeBody body =
        switch (operation) {
          case ItemOperation item -> LargeBody.of(grant, item.scope(), bytes(item));
          case Operation.ExecuteWithTriggers(var item, var before, var after) ->
              LargeBody.of(grant, item.scope(), bytes(item));
          case Operation.ExecuteBulk(var container, var steps, boolean inOrder) ->
              LargeBody.of(grant, new ItemScope(container, null), bytes(steps));
          default -> null;
        };
    return body == null ? RequestCharge.NONE : charge(body, RequestCharge.NONE);
  }

  private record Payer(Budget budget, MappedRange range) {}

  /** A request whose key is invalid is charged to the first range, if the container exists. */
  private Payer payer(LargeBody body) {
    Grant grant = body.grant();
    FeedScope scope =
        grant == null ? body.scope() : gate.payer(grant, body.container(), body.scope());
    CatalogImage image = catalog.image();
    ContainerEntry container = image.container(body.container());
    if (container == null) {
      throw new Refused(new Refusal.OwnerNotFound());
    }
    MappedRange range;
    try {
      range = PlanningCharge.range(scope, container, tasks);
    } catch (Refused noKey) {
      range = container.map().ranges().getFirst();
    }
    return new Payer(budgets.of(image, container, range), range);
  }
}
