package io.orrery.routing;

import io.orrery.operation.Limits;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;

/**
 * Who has a budget. Whoever serves partitions that draw upon the same one is the same node: it
 * counts what they use.
 */
sealed interface BudgetOwner {
  /** A partition by itself. */
  record Range(long partition) implements BudgetOwner {
    @Override
    public long key() {
      return partition;
    }
  }

  /** A place of a database whose containers share its throughput. */
  record Shared(int database, int place) implements BudgetOwner {
    @Override
    public long key() {
      // Partitions have numbers from 0 on.
      return ~((long) database << Integer.SIZE | place);
    }
  }

  /** A number that no other has. */
  long key();

  static BudgetOwner of(CatalogImage image, PartitionId id, Limits limits) {
    ContainerEntry container = image.containerOf(id);
    if (container != null && Provisioning.isShared(image, container)) {
      MappedRange range = container.map().of(id);
      if (range != null) {
        return of(image, container, range, limits);
      }
    }
    return new Range(id.value());
  }

  static BudgetOwner of(
      CatalogImage image, ContainerEntry container, MappedRange range, Limits limits) {
    if (!Provisioning.isShared(image, container)) {
      return new Range(range.partition().value());
    }
    int places = Provisioning.partitionsFor(Provisioning.of(image, container), limits);
    long index = container.map().indexOf(range.epks().min());
    return new Shared(
        container.database().number(), (int) (index * places / container.map().ranges().size()));
  }
}
