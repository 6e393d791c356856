package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.orrery.storage.PartitionId;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.SynchronousQueue;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutagesTest {
  private final Outages outages = new Outages();

  @Test
  void partitionsAndCauseAreNamedUntilTheyAnswer() {
    for (long id = 1; id < 8; id++) {
      outages.failed(row(id), new IOException("several\nlines", new ConnectException("refused")));
    }
    assertEquals(
        "HBase does not answer for partition 1, 2, 3, 4, 5 and others: refused",
        outages.trouble(row -> {}));
    for (long id = 1; id < 8; id++) {
      outages.answered(row(id));
    }
    assertNull(outages.trouble(row -> {}));
  }

  @Test
  void zookeeperIsNamed() {
    var lost = KeeperException.create(KeeperException.Code.CONNECTIONLOSS, "/hbase");
    assertEquals(
        "ZooKeeper is out of reach (KeeperErrorCode = ConnectionLoss for /hbase)",
        Outages.reason(new IOException("lost", lost)));
  }

  @Test
  void whoeverAsksLetsTheCatalogAndAllThatFailedBeAsked() throws InterruptedException {
    outages.failed(row(3), new IOException("lost"));
    var asked = new SynchronousQueue<PartitionId>();
    assertEquals(
        "HBase does not answer for partition 3: lost",
        outages.trouble(
            row -> {
              try {
                asked.put(Layout.partitionOf(row));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
    assertEquals(new PartitionId(0), asked.take());
    assertEquals(new PartitionId(3), asked.take());
  }

  private static byte[] row(long id) {
    return Layout.headRow(new PartitionId(id));
  }
}
