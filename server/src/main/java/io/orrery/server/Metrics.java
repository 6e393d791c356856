package io.orrery.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orrery.http.OpenConnections;
import io.orrery.operation.DatabaseFigures;
import io.orrery.storage.Storage;
import io.orrery.storage.StorageFault;
import io.orrery.storage.StorageStatistics;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators watch, in the Prometheus text format. The registry is made by the first scrape: it
 * would slow the start, and all it reads is counted elsewhere.
 */
final class Metrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

  private final RequestMeter requests;
  private final Health health;
  private final Storage storage;
  private final Supplier<DatabaseFigures> figures;
  private final OpenConnections connections;
  private DatabaseFigures latest = new DatabaseFigures(List.of(), List.of(), null);
  private StorageStatistics statistics = new StorageStatistics(0, 0, 0, 0, 0);
  private @Nullable PrometheusMeterRegistry registry;
  private @Nullable JvmGcMetrics collections;

  Metrics(
      RequestMeter requests,
      Health health,
      Supplier<DatabaseFigures> figures,
      OpenConnections connections) {
    this.requests = requests;
    this.health = health;
    this.storage = health.storage();
    this.figures = figures;
    this.connections = connections;
  }

  /**
   * All figures.
   *
   * @param named with those of each container by its name, or only their sums
   */
  synchronized String text(boolean named) {
    PrometheusMeterRegistry ready = registry;
    if (ready == null) {
      ready = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      bind(ready);
      registry = ready;
    }
    latest = figures.get();
    try {
      statistics = storage.statistics();
    } catch (StorageFault e) {
      LOG.debug("The storage has no figures now; the last ones are shown", e);
    }
    return ready.scrape() + requests.text() + PartitionFamilies.text(latest, named);
  }

  private void bind(PrometheusMeterRegistry into) {
    new JvmMemoryMetrics().bindTo(into);
    new JvmThreadMetrics().bindTo(into);
    new ProcessorMetrics().bindTo(into);
    new FileDescriptorMetrics().bindTo(into);
    new UptimeMetrics().bindTo(into);
    var pauses = new JvmGcMetrics();
    pauses.bindTo(into);
    collections = pauses;
    Gauge.builder("orrery.partitions", this, now -> now.latest.partitions().size() + 1)
        .description("Physical partitions, the catalog among them.")
        .register(into);
    health.bind(into);
    GuardMetrics.bind(into, connections);
    Gauge.builder("orrery.storage.disk", this, now -> now.statistics.diskBytes())
        .baseUnit("bytes")
        .description("Space taken on disk.")
        .register(into);
    count(into, "commits", "Commits that became durable.", StorageStatistics::commits);
    count(
        into,
        "commit.groups",
        "Synced writes that carried commits.",
        StorageStatistics::commitGroups);
    count(into, "cache.hits", "Blocks found in memory.", StorageStatistics::cacheHits);
    count(into, "cache.misses", "Blocks read from disk.", StorageStatistics::cacheMisses);
  }

  private void count(
      PrometheusMeterRegistry into,
      String name,
      String meaning,
      ToDoubleFunction<StorageStatistics> value) {
    FunctionCounter.builder(
            "orrery.storage." + name, this, now -> value.applyAsDouble(now.statistics))
        .description(meaning)
        .register(into);
  }

  @Override
  public synchronized void close() {
    if (collections != null) {
      collections.close();
    }
    if (registry != null) {
      registry.close();
    }
  }
}
