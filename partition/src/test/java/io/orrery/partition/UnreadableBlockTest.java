package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Outcome;
import io.orrery.operation.Ticks;
import io.orrery.partition.format.v1.Keys;
import io.orrery.query.index.IndexPolicy;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A block that the storage cannot read keeps upkeep from what stands in it, and from no more. */
@Timeout(60)
class UnreadableBlockTest {
  private static final int KEYS = 20;

  private final PartitionFixture p = new PartitionFixture(UnrepeatableStore::new);
  private final UnrepeatableStore store = (UnrepeatableStore) p.store;
  private volatile long aheadSeconds;

  @BeforeEach
  void fill() {
    p.clock(() -> Ticks.now() + aheadSeconds * Ticks.PER_SECOND);
    for (int i = 0; i < KEYS; i++) {
      p.create("k" + i, "1");
    }
  }

  @AfterEach
  void end() {
    p.close();
  }

  private long counter(String pk, String id) {
    return p.readItem(pk, id).counter();
  }

  private void deleteAllKeys() {
    for (int i = 0; i < KEYS; i++) {
      assertInstanceOf(
          Outcome.LogicalPartitionDeleted.class,
          p.run(new ItemTask.DeleteAll(key("k" + i))).outcome());
    }
  }

  private int markers() {
    return Markers.load(p.store).lsnByLogicalPartition().size();
  }

  private int items() {
    try (Snapshot snapshot = p.store.snapshot()) {
      return snapshot
          .scan(Scan.forward(Keys.member(new byte[0], 0), new byte[] {Keys.MEMBER + 1}))
          .entries()
          .size();
    }
  }

  /** Looks for upkeep that is due, as the server does once a second. */
  private void keepUntil(BooleanSupplier done) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!done.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, () -> markers() + " keys and " + items() + " items");
      p.partition.trim();
      p.partition.expire();
      Thread.sleep(5);
    }
  }

  @Test
  void aBlockKeepsTheItemsOfItsOwnKeyOnly() throws InterruptedException {
    store.damage(Keys.item(counter("k7", "1")));
    deleteAllKeys();
    keepUntil(() -> markers() == 1);
    assertEquals(1, p.partition.quarantined());
  }

  @Test
  void aBlockKeepsNothingElseOfKeysThatAreSweptTogether() throws InterruptedException {
    for (int i = 2; i < 10; i++) {
      p.create("k7", Integer.toString(i));
    }
    store.damage(Keys.item(counter("k7", "5")));
    p.partition.pauseUpkeep();
    deleteAllKeys();
    p.partition.close();
    p.open();
    keepUntil(() -> markers() == 1);
    keepUntil(() -> items() == 1);
    assertEquals(1, p.partition.quarantined());
  }

  @Test
  void theMembersOfAKeyThatCannotBeReadKeepNoOtherKey() throws InterruptedException {
    byte[] logical = Keys.logicalPartition(key("k7").epk(), key("k7").key());
    store.damage(Keys.member(logical, counter("k7", "1")));
    deleteAllKeys();
    keepUntil(() -> markers() == 1);
  }

  @Test
  void eachKeyWhoseMembersCannotBeReadIsLogged() throws InterruptedException {
    store.failAfter(Duration.ofMillis(1_100));
    p.partition.pauseUpkeep();
    for (String pk : List.of("k7", "k8", "k9")) {
      long counter = counter(pk, "1");
      p.run(new ItemTask.DeleteAll(key(pk)));
      store.damage(Keys.member(Keys.logicalPartition(key(pk).epk(), key(pk).key()), counter));
    }
    p.partition.close();
    try (var log = new CaughtLog(Quarantine.class)) {
      p.open();
      keepUntil(() -> log.lines().size() == 3);
    }
  }

  /** What was removed of the item before the fault is there again. */
  @Test
  void anItemIsRemovedAsAWholeOnceTheFaultHasPassed() throws InterruptedException {
    byte[] logical = Keys.logicalPartition(key("k7").epk(), key("k7").key());
    store.damage(Keys.primary(logical, ItemEntries.utf8("1")));
    deleteAllKeys();
    keepUntil(() -> markers() == 1);
    store.repair();
    assertEquals(1, items());
    assertEquals(1, p.partition.quarantined());
    aheadSeconds = ReadFaults.RETRY_SECONDS + 1;
    keepUntil(() -> markers() == 0);
    assertEquals(0, p.partition.quarantined());
    p.partition.close();
    assertEquals(List.of(), Audit.of(p.store, p.settings()).faults());
  }

  @Test
  void itemsThatCannotBeReadAreLoggedOnce() throws InterruptedException {
    store.damage(Keys.item(counter("k7", "1")));
    try (var log = new CaughtLog(Quarantine.class)) {
      deleteAllKeys();
      keepUntil(() -> markers() == 1);
      int failed = store.failedReads();
      aheadSeconds = ReadFaults.RETRY_SECONDS + 1;
      keepUntil(() -> store.failedReads() > failed);
      p.create("other", "1"); // runs after the sweep
      p.create("other", "2");
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
    }
  }

  /** The storage seems to fail altogether: upkeep ends, and begins elsewhere the next time. */
  @Test
  void readsThatTakeLongToFailEndTheSweepAndKeepNoOtherKey() throws InterruptedException {
    store.failAfter(Duration.ofMillis(1_100));
    for (int i = 2; i < 10; i++) {
      p.create("k7", Integer.toString(i));
      store.damage(Keys.item(counter("k7", Integer.toString(i))));
    }
    try (var log = new CaughtLog(StoppedUpkeep.class)) {
      deleteAllKeys();
      keepUntil(() -> markers() == 1);
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
    }
    assertTrue(p.partition.quarantined() > 0);
  }

  @Test
  void itemsExpireBehindOneThatCannotBeRead() throws InterruptedException {
    store.damage(Keys.item(counter("k7", "1")));
    p.timeToLive(new TimeToLive(10));
    aheadSeconds = 100;
    keepUntil(() -> p.partition.expired() == KEYS - 1);
    assertEquals(1, p.partition.quarantined());
    store.repair();
    aheadSeconds = 100 + ReadFaults.RETRY_SECONDS + 1;
    keepUntil(() -> p.partition.expired() == KEYS);
    assertEquals(0, p.partition.quarantined());
  }

  /** More of them than one commit looks at. */
  @Test
  void itemsOfAnOwnTimeExpireBehindThoseThatCannotBeRead() throws InterruptedException {
    p.timeToLive(new TimeToLive(TimeToLive.FOREVER));
    for (int i = 0; i < 300; i++) {
      createWithOwnTime(Integer.toString(i), i < 200);
    }
    aheadSeconds = 100;
    keepUntil(() -> p.partition.expired() == 100);
    assertEquals(200, p.partition.quarantined());
    store.repair();
    aheadSeconds = 100 + ReadFaults.RETRY_SECONDS + 1;
    keepUntil(() -> p.partition.expired() == 300);
    assertEquals(0, p.partition.quarantined());
  }

  private void createWithOwnTime(String id, boolean damaged) {
    String json = "{\"id\":\"" + id + "\",\"pk\":\"t\",\"ttl\":1}";
    p.run(new ItemTask.Create(key("t"), item(json)));
    if (damaged) {
      store.damage(Keys.item(counter("t", id)));
    }
  }

  /** Each attempt to expire steps over a few more of them. */
  @Test
  void readsThatTakeLongToFailDoNotStopExpiryOfOtherItems() throws InterruptedException {
    store.failAfter(Duration.ofMillis(1_100));
    for (int i = 0; i < 10; i++) {
      createWithOwnTime(Integer.toString(i), i < 6);
    }
    p.timeToLive(new TimeToLive(10));
    aheadSeconds = 100;
    keepUntil(() -> p.partition.expired() == KEYS + 4);
    assertEquals(6, p.partition.quarantined());
    assertEquals(6, store.failedReads());
  }

  @Test
  void expiryReadsWhatCannotBeReadOncePerTenMinutes() throws InterruptedException {
    createWithOwnTime("1", true);
    createWithOwnTime("2", false);
    p.timeToLive(new TimeToLive(10_000));
    aheadSeconds = 100;
    keepUntil(() -> p.partition.expired() == 1);
    assertEquals(1, p.partition.quarantined());
    int failed = store.failedReads();
    createWithOwnTime("3", false);
    aheadSeconds = 200;
    keepUntil(() -> p.partition.expired() == 2);
    p.timeToLive(new TimeToLive(150));
    keepUntil(() -> p.partition.expired() == 2 + KEYS);
    assertEquals(failed, store.failedReads());
    aheadSeconds = 100 + ReadFaults.RETRY_SECONDS + 10;
    keepUntil(() -> store.failedReads() > failed);
  }

  /** The storage could read it again before it was asked again. */
  @Test
  void anItemThatIsGoneBeforeTheNextAttemptIsCountedNoLonger() throws InterruptedException {
    p.timeToLive(new TimeToLive(TimeToLive.FOREVER));
    createWithOwnTime("1", true);
    aheadSeconds = 100;
    keepUntil(() -> p.partition.quarantined() == 1);
    store.repair();
    assertInstanceOf(Outcome.ItemCreated.class, p.create("t", "1").outcome());
    aheadSeconds = 100 + ReadFaults.RETRY_SECONDS + 1;
    keepUntil(() -> p.partition.quarantined() == 0);
  }

  @Test
  void nothingIsCountedThatExpiryMetOnceItIsTurnedOff() throws InterruptedException {
    p.timeToLive(new TimeToLive(TimeToLive.FOREVER));
    createWithOwnTime("1", true);
    aheadSeconds = 100;
    keepUntil(() -> p.partition.quarantined() == 1);
    p.timeToLive(TimeToLive.OFF);
    while (p.partition.quarantined() > 0) {
      p.partition.trim(); // a container without time to live is not asked for expired items
      Thread.sleep(5);
    }
  }

  /** It is tried again with each commit. */
  @Test
  void upkeepThatStopsAtTheSameItemIsLoggedOnce() {
    store.damage(Keys.item(counter("k7", "1")));
    try (var log = new CaughtLog(StoppedUpkeep.class)) {
      p.index(IndexPolicy.none(PartitionFixture.DEFINITION));
      for (int i = 0; i < KEYS; i++) {
        p.create("other" + i, "1");
      }
      assertTrue(store.failedReads() > 1);
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
    }
  }

  /** Expiry leaves it out, as the sweep has met it, and must come back to it. */
  @Test
  void anItemThatASweepCouldNotReadExpiresOnceItCanBeRead() throws InterruptedException {
    p.timeToLive(new TimeToLive(100));
    p.partition.pauseUpkeep();
    p.run(new ItemTask.DeleteAll(key("k7")));
    p.create("k7", "2");
    store.damage(Keys.item(counter("k7", "2")));
    p.partition.close();
    p.open();
    keepUntil(() -> p.partition.quarantined() == 1);
    aheadSeconds = 200;
    keepUntil(() -> p.partition.expired() == KEYS - 1);
    assertEquals(1, p.partition.quarantined());
    store.repair();
    aheadSeconds = 200 + ReadFaults.RETRY_SECONDS + 10;
    keepUntil(() -> p.partition.expired() == KEYS);
    keepUntil(() -> markers() == 0);
    assertEquals(0, p.partition.quarantined());
  }
}
