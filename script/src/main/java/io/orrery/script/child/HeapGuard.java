package io.orrery.script.child;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Knows how much of the heap the last full collection left in use. Between those, what is in use
 * says nothing: interpreted code makes garbage all the time.
 */
final class HeapGuard implements NotificationListener {
  private static final double TIGHT = 0.6;
  private static final String FULL = "end of major GC";

  private final long maxBytes;
  private volatile Collected last = new Collected(0, 0);

  private record Collected(long number, long usedBytes) {}

  HeapGuard(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  static HeapGuard start() {
    var guard = new HeapGuard(Runtime.getRuntime().maxMemory());
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(guard, null, null);
      }
    }
    return guard;
  }

  /** How many full collections there were. */
  long collections() {
    return last.number;
  }

  /**
   * Whether a script holds so much that what it allocates next may end the process.
   *
   * @param before how many collections there were when the script began
   */
  boolean isTightSince(long before) {
    Collected seen = last;
    return seen.number > before && seen.usedBytes > TIGHT * maxBytes;
  }

  /**
   * Whether earlier scripts take half of what makes the heap tight, even if the running script
   * still holds all that it has allocated.
   */
  boolean isTightBeside(long allocatedBytes) {
    return last.usedBytes - allocatedBytes > TIGHT / 2 * maxBytes;
  }

  @Override
  public void handleNotification(Notification notification, @Nullable Object handback) {
    if (notification.getUserData() instanceof CompositeData data
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      var info = GarbageCollectionNotificationInfo.from(data);
      if (!info.getGcAction().equals(FULL)) {
        return;
      }
      long usedBytes =
          info.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
              .filter(pool -> isHeap(pool.getKey()))
              .map(java.util.Map.Entry::getValue)
              .mapToLong(MemoryUsage::getUsed)
              .sum();
      collected(usedBytes);
    }
  }

  /** A full collection left so much in use. */
  void collected(long usedBytes) {
    last = new Collected(last.number + 1, usedBytes);
  }

  private static boolean isHeap(String pool) {
    return !pool.startsWith("Code") && !pool.contains("Metaspace") && !pool.contains("Class Space");
  }
}
