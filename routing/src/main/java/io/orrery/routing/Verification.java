package io.orrery.routing;

import io.orrery.partition.Audit;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Storage;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Compares what a storage holds with the items that it was made of; nothing is changed. */
public final class Verification {
  private Verification() {}

  /** What was found in a partition. */
  public record Checked(String database, String container, String range, Audit.Report report) {}

  /**
   * Audits all partitions of all containers of a storage that is not in use.
   *
   * @param each is given the result of every partition
   * @return how many partitions belong to no container: a split or merge was interrupted, and the
   *     next start removes them
   */
  public static int run(Storage storage, DatabaseSettings settings, Consumer<Checked> each) {
    CatalogImage image = Catalog.join(storage).image();
    Set<PartitionId> rest = new HashSet<>(storage.list());
    rest.remove(Catalog.PARTITION);
    for (ContainerEntry container : image.containers().values()) {
      for (MappedRange range : container.map().ranges()) {
        rest.remove(range.partition());
        Audit.Report report =
            Audit.of(
                storage.open(range.partition()), settings.ofPartition(container, range.number()));
        each.accept(new Checked(container.database().id(), container.id(), range.id(), report));
      }
    }
    return rest.size();
  }
}
