package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that know of each other through a real ZooKeeper. */
class HbaseMembershipTest {
  private static final Duration SESSION = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path folder;
  private LocalZookeeper zookeeper;
  private HbaseConfig config;

  @BeforeEach
  void start() throws Exception {
    zookeeper = new LocalZookeeper(folder);
    config = HbaseConfig.at(zookeeper.address()).withSession(SESSION);
  }

  @AfterEach
  void stop() {
    zookeeper.close();
  }

  @Test
  void membersSeeEachOtherTheEldestFirst() {
    try (var first = join("a:1");
        var second = join("b:2");
        var third = join("c:3")) {
      assertTrue(first.self().number() < second.self().number());
      assertTrue(second.self().number() < third.self().number());
      assertEquals(new Member(first.self().number(), "a:1", "build 1"), first.self());
      var all = List.of(first.self(), second.self(), third.self());
      assertEquals(all, third.members());
      assertEquals(all, first.membersNow());
      eventually(() -> first.members().equals(all) && second.members().equals(all));
      assertTrue(first.isCurrent());
    }
  }

  @Test
  void tablesHaveTheirOwnMembers() {
    try (var here = join("a:1");
        var elsewhere = HbaseMembership.join(config.withTable("other"), joining("a:1", Map.of()))) {
      assertEquals(List.of(here.self()), here.membersNow());
      assertEquals(List.of(elsewhere.self()), elsewhere.membersNow());
    }
  }

  @Test
  void tablesOfTwoHbasesHaveTheirOwnMembersToo() {
    var other = config.withParent("/other/hbase");
    try (var here = join("a:1");
        var elsewhere = HbaseMembership.join(other, joining("a:1", Map.of()))) {
      assertEquals(List.of(here.self()), here.membersNow());
      assertEquals(List.of(elsewhere.self()), elsewhere.membersNow());
    }
    assertEquals("/orrery/orrery/members", Stay.folder(config));
    assertEquals("/orrery/orrery@other@hbase/members", Stay.folder(other));
  }

  @Test
  void memberThatClosesLeavesAtOnce() {
    try (var stays = join("a:1")) {
      var leaves = join("b:2");
      assertTrue(leaves.isCurrent());
      leaves.close();
      assertFalse(leaves.isCurrent());
      assertEquals(List.of(stays.self()), stays.membersNow());
      leaves.close();
      fault("This node has left", leaves::membersNow);
      try (var again = join("b:2")) {
        assertTrue(again.self().number() > leaves.self().number());
      }
    }
  }

  @Test
  void listenersAreToldOnAThreadThatMayBlock() throws Exception {
    try (var stays = join("a:1")) {
      var told = new CountDownLatch(1);
      var release = new CountDownLatch(1);
      stays.onChange(
          () -> {
            told.countDown();
            await(release);
          });
      var counted = new AtomicInteger();
      stays.onChange(counted::incrementAndGet);
      try (var _ = join("b:2")) { // stays until it was seen: one that has left again is no change
        assertTrue(told.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      }
      // Longer than it would stay current if the listener held up the signs of life.
      assertFalse(new CountDownLatch(1).await(SESSION.toMillis(), TimeUnit.MILLISECONDS));
      assertTrue(stays.isCurrent());
      eventually(() -> stays.members().size() == 1);
      release.countDown();
      eventually(() -> counted.get() > 0);
    }
  }

  @Test
  void killedMemberIsGoneAfterItsSession() throws Exception {
    try (var stays = join("a:1");
        var killed = new MemberProcess(config, "b:2")) {
      long number = killed.number();
      assertEquals("true", killed.said("current"));
      assertTrue(stays.membersNow().stream().anyMatch(member -> member.number() == number));
      killed.kill();
      // The newcomer waits until the dead one no longer has its address.
      try (var successor = join("b:2")) {
        assertEquals(List.of(stays.self(), successor.self()), stays.membersNow());
      }
    }
  }

  @Test
  void pausedMemberKnowsThatItsTimeIsOverBeforeAnythingElse() throws Exception {
    try (var stays = join("a:1");
        var paused = new MemberProcess(config, "b:2")) {
      long number = paused.number();
      assertEquals("true", paused.said("current"));
      var told = new AtomicInteger();
      eventually(() -> stays.members().size() == 2);
      stays.onChange(told::incrementAndGet);
      long since = System.nanoTime();
      paused.pause();
      eventually(() -> stays.members().size() == 1);
      eventually(() -> told.get() > 0);
      // ZooKeeper counts from the last sign of life, which was before the pause: the process must
      // stand still for longer to know that it did.
      eventually(() -> System.nanoTime() - since > SESSION.toNanos() * 3 / 2);
      paused.resume();
      assertEquals("false", paused.said("paused"));
      long next = paused.number();
      assertTrue(next > number);
      assertEquals("true", paused.said("current"));
      assertEquals(2, stays.membersNow().size());
    }
  }

  @Test
  void membersStandAZookeeperThatIsGoneForAWhile() throws Exception {
    try (var first = join("a:1");
        var second = join("b:2")) {
      // A watch tells the first of the second, some time after that has joined.
      eventually(() -> first.members().size() == 2);
      var told = new AtomicInteger();
      first.onChange(told::incrementAndGet);
      zookeeper.stop();
      eventually(() -> !first.isCurrent() && !second.isCurrent());
      eventually(() -> told.get() > 0);
      String trouble = String.valueOf(first.trouble());
      assertTrue(trouble.contains("ZooKeeper at " + zookeeper.address()), trouble);
      fault(
          "ZooKeeper at " + zookeeper.address() + " does not tell which nodes are there",
          first::membersNow);
      assertEquals(2, first.members().size());
      zookeeper.start();
      eventually(() -> first.isCurrent() && second.isCurrent());
      eventually(() -> first.trouble() == null);
      eventually(() -> first.membersNow().equals(List.of(first.self(), second.self())));
    }
  }

  @Test
  void memberWhoseEntryWasTakenAwayComesBackUnderAnotherNumber() throws Exception {
    try (var member = join("a:1")) {
      long number = member.self().number();
      var client = new ZooKeeper(zookeeper.address(), 5_000, event -> {});
      try {
        String members = "/orrery/orrery/members";
        var away = new ArrayList<Op>();
        for (String child : client.getChildren(members, false)) {
          away.add(Op.delete(members + "/" + child, -1));
        }
        away.add(Op.delete(members, -1));
        client.multi(away);
      } finally {
        client.close();
      }
      eventually(() -> member.self().number() > number && member.isCurrent());
      assertEquals(List.of(member.self()), member.membersNow());
    }
  }

  @Test
  void nodeThatDiffersIsRefusedAndLeavesNoTrace() {
    var here = Map.of("--limits", "seeds", "--key", "fingerprint 1a2b", "--consistency", "Session");
    var other =
        Map.of("--limits", "today", "--key", "fingerprint ffff", "--consistency", "Session");
    try (var first = HbaseMembership.join(config, joining("a:1", here))) {
      fault(
          "This node differs from the node a:1 in --key (here fingerprint ffff, there fingerprint"
              + " 1a2b), --limits (here today, there seeds); give all nodes the same",
          () -> HbaseMembership.join(config, joining("b:2", other)));
      fault("--key (here nothing, there", () -> join("b:2"));
      assertEquals(List.of(first.self()), first.membersNow());
      HbaseMembership.join(config, joining("b:2", here)).close();
    }
  }

  @Test
  void addressThatIsTakenIsRefused() {
    var impatient = config.withPatience(Duration.ZERO);
    try (var first = join("a:1")) {
      fault(
          "Another node has joined as a:1; give each its own address",
          () -> HbaseMembership.join(impatient, joining("a:1", Map.of())));
      assertEquals(List.of(first.self()), first.membersNow());
    }
  }

  @Test
  void absentZookeeperIsNamed() throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    var absent =
        HbaseConfig.at("127.0.0.1:" + free)
            .withSession(Duration.ofSeconds(1))
            .withPatience(Duration.ZERO);
    fault(
        "No ZooKeeper answers at 127.0.0.1:" + free + " for 1 s; start it, or correct its address",
        () -> HbaseMembership.join(absent, joining("a:1", Map.of())));
  }

  private Membership join(String address) {
    return HbaseMembership.join(config, joining(address, Map.of()));
  }

  private static Joining joining(String address, Map<String, String> common) {
    return new Joining(address, "build 1", common);
  }

  private static void fault(String message, Runnable action) {
    String found = String.valueOf(assertThrows(StorageFault.class, action::run).getMessage());
    assertTrue(found.contains(message), found);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "did not come true");
      LockSupport.parkNanos(10_000_000);
    }
  }
}
