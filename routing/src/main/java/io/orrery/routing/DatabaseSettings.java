package io.orrery.routing;

import io.orrery.operation.KeyRotation;
import io.orrery.operation.Limits;
import io.orrery.operation.Ticks;
import io.orrery.partition.PartitionSettings;
import io.orrery.partition.TimeToLive;
import io.orrery.partition.UniqueKeys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.script.ScriptSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What an operator decides about a database.
 *
 * @param historyRetention how long the log of changes is kept where a container does not say it
 * @param throttled whether requests beyond a range's share are refused, or only counted
 * @param nanos the time that budgets are filled by
 * @param reshapeWatcher is told of every step of splits and merges, on the thread that does them
 * @param keyRotation makes new account keys
 */
public record DatabaseSettings(
    Limits limits,
    Duration historyRetention,
    QuerySettings queries,
    ScriptSettings scripts,
    boolean throttled,
    LongSupplier nanos,
    Consumer<ReshapeStep> reshapeWatcher,
    KeyRotation keyRotation) {
  private static final Duration HISTORY_RETENTION = Duration.ofHours(1);

  /** The usual: nothing is refused for its price. */
  public static DatabaseSettings of(Limits limits) {
    return new DatabaseSettings(
        limits,
        HISTORY_RETENTION,
        QuerySettings.DEFAULT,
        ScriptSettings.DEFAULT,
        false,
        System::nanoTime,
        step -> {},
        KeyRotation.NONE);
  }

  /** The time of day as commits have it; stands still with a clock that does. */
  LongSupplier ticks() {
    return nanos instanceof VirtualClock clock ? clock::ticks : Ticks::now;
  }

  public DatabaseSettings with(QuerySettings other) {
    return new DatabaseSettings(
        limits, historyRetention, other, scripts, throttled, nanos, reshapeWatcher, keyRotation);
  }

  public DatabaseSettings with(ScriptSettings other) {
    return new DatabaseSettings(
        limits, historyRetention, queries, other, throttled, nanos, reshapeWatcher, keyRotation);
  }

  /** The same, with every range held to its share of the throughput. */
  public DatabaseSettings withThrottling() {
    return new DatabaseSettings(
        limits, historyRetention, queries, scripts, true, nanos, reshapeWatcher, keyRotation);
  }

  public DatabaseSettings withClock(LongSupplier supplied) {
    return new DatabaseSettings(
        limits,
        historyRetention,
        queries,
        scripts,
        throttled,
        supplied,
        reshapeWatcher,
        keyRotation);
  }

  /** The time of day that tokens end by. */
  InstantSource timeOfDay() {
    return nanos instanceof VirtualClock virtual ? virtual : InstantSource.system();
  }

  public DatabaseSettings watchedBy(Consumer<ReshapeStep> watcher) {
    return new DatabaseSettings(
        limits, historyRetention, queries, scripts, throttled, nanos, watcher, keyRotation);
  }

  public DatabaseSettings rotatingKeysBy(KeyRotation rotation) {
    return new DatabaseSettings(
        limits, historyRetention, queries, scripts, throttled, nanos, reshapeWatcher, rotation);
  }

  /** Of one partition of a container. */
  PartitionSettings ofPartition(ContainerEntry container, long rangeNumber) {
    var definition = container.definition();
    Duration asked = definition.versionRetention();
    return new PartitionSettings(
        rangeNumber,
        definition.key(),
        IndexPolicy.of(definition.indexingPolicy(), definition.key()),
        new UniqueKeys(definition.uniqueKeys().stream().map(UniqueKeys.Paths::new).toList()),
        limits,
        container.splittable(),
        !asked.isZero(),
        asked.compareTo(historyRetention) > 0 ? asked : historyRetention,
        new TimeToLive(definition.defaultTtl()),
        ticks());
  }
}
