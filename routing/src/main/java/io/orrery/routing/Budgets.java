package io.orrery.routing;

import io.orrery.operation.Limits;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Throughput;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Which budget a request draws upon: a range has its part, T/N, of the container's throughput.
 * Containers without a throughput of their own share that of their database: it has as many places
 * as its throughput needs partitions, and the ranges of each container, in their order, are spread
 * over them.
 */
final class Budgets {
  private final boolean enforced;
  private final Nodes nodes;
  private final Limits limits;
  private final LongSupplier nanos;
  private final ConcurrentMap<BudgetOwner, Budget> budgets = new ConcurrentHashMap<>();

  Budgets(DatabaseSettings settings, Nodes nodes) {
    this.nodes = nodes;
    this.enforced = settings.throttled();
    this.nanos = settings.nanos();
    this.limits = settings.limits();
  }

  Budget of(CatalogImage image, ContainerEntry container, MappedRange range) {
    BudgetOwner owner = BudgetOwner.of(image, container, range, limits);
    double share = shareOf(image, container);
    Budget budget = budgets.get(owner);
    if (budget == null) {
      budget = budgets.computeIfAbsent(owner, absent -> new Budget(share, nanos));
    }
    budget.share(share);
    return budget;
  }

  /** What a range has used, whether or not anybody asked it yet. */
  Budget.Usage usage(CatalogImage image, ContainerEntry container, MappedRange range) {
    if (nodes.serves(range.partition())) {
      return usageHere(image, container, range);
    }
    Budget.Usage told = nodes.usage(range.partition());
    return told == null ? Budget.Usage.none(shareOf(image, container)) : told;
  }

  /** As far as this node knows; asks nobody. */
  Budget.Usage usageHere(CatalogImage image, ContainerEntry container, MappedRange range) {
    double share = shareOf(image, container);
    Budget budget = budgets.get(BudgetOwner.of(image, container, range, limits));
    if (budget == null) {
      return Budget.Usage.none(share);
    }
    budget.share(share);
    return budget.usage();
  }

  private double shareOf(CatalogImage image, ContainerEntry container) {
    Throughput throughput = Provisioning.of(image, container);
    int sharers =
        Provisioning.isShared(image, container)
            ? Provisioning.partitionsFor(throughput, limits)
            : container.map().ranges().size();
    double units = throughput.peakUnitsPerSecond();
    return Math.min(units / sharers, limits.physicalPartitionUnitsPerSecond());
  }

  /**
   * Lets a request in.
   *
   * @throws Refused when the range's share is spent
   */
  void admit(Budget budget, RequestCharge estimate, MappedRange range) {
    if (!enforced) {
      budget.take(estimate);
      return;
    }
    long waitMillis = budget.admit(estimate, nanos.getAsLong());
    if (waitMillis > 0) {
      throw new Refused(new Refusal.Throttled(waitMillis, budget.hint(range.id())));
    }
  }

  /**
   * Lets a request come to a range, wherever that is served.
   *
   * @throws Refused when the range's share is spent
   */
  Drawn draw(
      CatalogImage image, ContainerEntry container, MappedRange range, RequestCharge estimate) {
    if (!nodes.serves(range.partition())) {
      return nodes.draw(range.partition(), estimate);
    }
    Budget budget = of(image, container, range);
    admit(budget, estimate, range);
    return (charge, key) -> budget.settle(estimate, charge, key);
  }

  /** Frees what belonged to ranges that are gone, whoever has replaced them. */
  void follow(CatalogImage image) {
    budgets
        .keySet()
        .removeIf(
            owner ->
                owner instanceof BudgetOwner.Range(long partition)
                    && image.containerOf(new PartitionId(partition)) == null);
  }

  /** Frees what belonged to ranges that are gone. */
  void forget(List<MappedRange> gone) {
    gone.forEach(range -> budgets.remove(new BudgetOwner.Range(range.partition().value())));
  }
}
