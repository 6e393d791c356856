package io.orrery.hbase;

import io.orrery.storage.PartitionId;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions whose last call found nobody, and why. Whoever wants to know lets them be asked
 * again, so that an idle server notices both the beginning and the end of an outage.
 */
final class Outages {
  private static final Logger LOG = LoggerFactory.getLogger(Outages.class);

  /** How many partitions a message names. */
  static final int NAMED_MOST = 5;

  private final Map<PartitionId, String> reasons = new ConcurrentHashMap<>();
  private final AtomicBoolean asking = new AtomicBoolean();

  /** The log tells of changes and not of every call. */
  void failed(byte[] row, IOException e) {
    boolean first = reasons.isEmpty();
    reasons.put(Layout.partitionOf(row), reason(e));
    if (first) {
      LOG.warn("HBase does not answer, calls wait: {}", reason(e));
    }
  }

  void answered(byte[] row) {
    if (!reasons.isEmpty()
        && reasons.remove(Layout.partitionOf(row)) != null
        && reasons.isEmpty()) {
      LOG.info("HBase answers again");
    }
  }

  /**
   * What does not answer, in words; null when nothing is known of that.
   *
   * @param question asks for one row, and tells the end here as any call does
   */
  @Nullable String trouble(Consumer<byte[]> question) {
    if (asking.compareAndSet(false, true)) {
      Thread.startVirtualThread(
          () -> {
            try {
              // The catalog is in the first one, without which nothing goes.
              question.accept(Layout.headRow(new PartitionId(0)));
              reasons.keySet().forEach(each -> question.accept(Layout.headRow(each)));
            } finally {
              asking.set(false);
            }
          });
    }
    var now = Map.copyOf(reasons);
    if (now.isEmpty()) {
      return null;
    }
    String named =
        now.keySet().stream()
            .map(PartitionId::value)
            .sorted()
            .limit(NAMED_MOST)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return "HBase does not answer for partition "
        + (named + (now.size() > NAMED_MOST ? " and others" : ""))
        + (": " + now.values().iterator().next());
  }

  /** What it came from: HBase's own message lists attempts over several lines. */
  static String reason(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message =
        String.valueOf(root.getMessage()).lines().findFirst().orElse("no reason given");
    return root instanceof KeeperException
        ? "ZooKeeper is out of reach (" + message + ")"
        : message;
  }
}
