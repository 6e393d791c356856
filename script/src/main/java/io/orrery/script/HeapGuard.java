package io.orrery.script;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/** Knows how much of the heap was left in use by the last collection. */
final class HeapGuard implements NotificationListener {
  private static final double TIGHT = 0.6;

  /** Each collection copies what a script holds, and everybody waits for that. */
  private static final long GROWTH_MAX_BYTES = 128L << 20;

  private final long maxBytes = Runtime.getRuntime().maxMemory();
  private volatile long usedBytes;

  private HeapGuard() {}

  static HeapGuard start() {
    var guard = new HeapGuard();
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(guard, null, null);
      }
    }
    return guard;
  }

  /** What was in use after the last collection. */
  long usedBytes() {
    return usedBytes;
  }

  /**
   * Whether so much is in use that one script can endanger the others, or more has come to it than
   * scripts need.
   *
   * @param beforeBytes what was in use when the script began
   */
  boolean isTight(long beforeBytes) {
    long used = usedBytes;
    return used > TIGHT * maxBytes || used - beforeBytes > GROWTH_MAX_BYTES;
  }

  @Override
  public void handleNotification(Notification notification, @Nullable Object handback) {
    if (notification.getUserData() instanceof CompositeData data
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      var info = GarbageCollectionNotificationInfo.from(data);
      usedBytes =
          info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
              .filter(pool -> isHeap(pool.getKey()))
              .map(java.util.Map.Entry::getValue)
              .mapToLong(MemoryUsage::getUsed)
              .sum();
    }
  }

  private static boolean isHeap(String pool) {
    return !pool.startsWith("Code") && !pool.contains("Metaspace") && !pool.contains("Class Space");
  }
}
