package io.orrery.partition;

import io.orrery.operation.Vitals;
import io.orrery.storage.PartitionId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why upkeep stopped: each kind at most once a minute, because it is tried again with each
 * commit or second, and mostly stops for the same reason. Belongs to the writer.
 */
final class StoppedUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(StoppedUpkeep.class);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final PartitionId partition;
  private final Map<Class<?>, Long> loggedNanos = new HashMap<>();

  StoppedUpkeep(PartitionId partition) {
    this.partition = partition;
  }

  void add(Chore chore, Throwable cause) {
    Vitals.countIfError(cause);
    long now = System.nanoTime();
    Long logged = loggedNanos.get(chore.getClass());
    if (logged == null || now - logged >= QUIET_NANOS) {
      loggedNanos.put(chore.getClass(), now);
      LOG.warn(
          "Upkeep of partition {} stopped in {} and is tried again",
          partition.value(),
          chore.getClass().getSimpleName(),
          cause);
    }
  }
}
