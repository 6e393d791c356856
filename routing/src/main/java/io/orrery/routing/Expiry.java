package io.orrery.routing;

import io.orrery.operation.Vitals;
import io.orrery.partition.Partition;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets partitions remove items and history whose time is over, also those that nobody asks for
 * anything; history only where they are open, since nobody sees it elsewhere. What is due is
 * removed by each partition's writer, a little at a time between the writes of clients.
 */
final class Expiry implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

  private final Catalog catalog;
  private final Partitions partitions;
  private final Thread keeper = Thread.ofVirtual().name("expiry").unstarted(this::keep);

  Expiry(Catalog catalog, Partitions partitions) {
    this.catalog = catalog;
    this.partitions = partitions;
  }

  void start() {
    keeper.start();
  }

  private void keep() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        lookOnce();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookOnce() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      Vitals.countIfError(e);
      LOG.error("Expired items and history could not be looked for; next try in {}", EVERY, e);
    }
  }

  /** Begins to remove what is due now. */
  void look() {
    partitions.trim();
    for (ContainerEntry container : catalog.image().containers().values()) {
      if (container.definition().defaultTtl() != null) {
        container.map().ranges().forEach(range -> look(container, range));
      }
    }
  }

  private void look(ContainerEntry container, MappedRange range) {
    try {
      Partition partition = partitions.serves(range) ? partitions.of(container, range) : null;
      if (partition != null) {
        partition.expire();
      }
    } catch (RuntimeException | Error e) {
      // One range that fails leaves the others their upkeep.
      Vitals.countIfError(e);
      LOG.warn("Expired items of range {} could not be removed; tried again soon", range.id(), e);
    }
  }

  /** Begins nothing more; what was begun is the partitions' to end. */
  @Override
  public void close() {
    keeper.interrupt();
    try {
      keeper.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
