package io.orrery.routing;

import io.orrery.operation.Limits;
import io.orrery.operation.Throughput;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.OfferEntry;
import io.orrery.routing.definition.ThroughputRules;
import org.jspecify.annotations.Nullable;

/** Which throughput a container has, and how many partitions carry it. */
final class Provisioning {
  private Provisioning() {}

  /** The container's own, its database's, or the default. */
  static Throughput of(CatalogImage image, ContainerEntry container) {
    OfferEntry own = image.offerOf(container.rid());
    return of(image, container.database(), own == null ? null : own.throughput());
  }

  static Throughput of(CatalogImage image, DatabaseEntry database, @Nullable Throughput own) {
    OfferEntry shared = image.offerOf(database.rid());
    return own != null ? own : shared != null ? shared.throughput() : ThroughputRules.DEFAULT;
  }

  /** Whether the container draws upon the throughput of its database. */
  static boolean isShared(CatalogImage image, ContainerEntry container) {
    return image.offerOf(container.rid()) == null
        && image.offerOf(container.database().rid()) != null;
  }

  static int partitionsFor(Throughput throughput, Limits limits) {
    return Math.max(
        1, Math.ceilDiv(throughput.peakUnitsPerSecond(), limits.physicalPartitionUnitsPerSecond()));
  }

  /** Whether the container still lacks partitions for its throughput. */
  static boolean isPending(CatalogImage image, ContainerEntry container, Limits limits) {
    return container.splittable()
        && container.map().ranges().size() < partitionsFor(of(image, container), limits);
  }
}
