package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Which budget a request draws upon: a range has its part, T/N, of the container's throughput.
 * Containers without a throughput of their own share that of their database, range by range.
 */
final class Budgets {
  private final boolean enforced;
  private final double unitsPerPartitionMax;
  private final LongSupplier nanos;
  private final ConcurrentMap<Owner, Budget> budgets = new ConcurrentHashMap<>();

  /** Who has a budget: a partition, or a place in the maps of a database's containers. */
  private sealed interface Owner {
    record Range(long partition) implements Owner {}

    record Shared(int database, int place) implements Owner {}
  }

  Budgets(DatabaseSettings settings) {
    this.enforced = settings.throttled();
    this.nanos = settings.nanos();
    this.unitsPerPartitionMax = settings.limits().physicalPartitionUnitsPerSecond();
  }

  Budget of(CatalogImage image, ContainerEntry container, MappedRange range) {
    Owner owner = ownerOf(image, container, range);
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
    double share = shareOf(image, container);
    Budget budget = budgets.get(ownerOf(image, container, range));
    if (budget == null) {
      return Budget.Usage.none(share);
    }
    budget.share(share);
    return budget.usage();
  }

  private static Owner ownerOf(CatalogImage image, ContainerEntry container, MappedRange range) {
    return Provisioning.isShared(image, container)
        ? new Owner.Shared(
            container.database().number(), container.map().indexOf(range.epks().min()))
        : new Owner.Range(range.partition().value());
  }

  private double shareOf(CatalogImage image, ContainerEntry container) {
    double units = Provisioning.of(image, container).peakUnitsPerSecond();
    return Math.min(units / container.map().ranges().size(), unitsPerPartitionMax);
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

  /** Frees what belonged to ranges that are gone. */
  void forget(List<MappedRange> gone) {
    gone.forEach(range -> budgets.remove(new Owner.Range(range.partition().value())));
  }
}
