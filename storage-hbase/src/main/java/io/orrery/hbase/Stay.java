package io.orrery.hbase;

import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.StorageFault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session at ZooKeeper, and the entry among the members that lives as long as it. The number of
 * a member is the transaction of ZooKeeper that made its entry: it rises and never comes again.
 */
final class Stay implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  private final HbaseConfig config;
  private final String folder;

  /** Never used twice, so that an entry found after a lost answer is ours. */
  private final String name = UUID.randomUUID().toString();

  private volatile Runnable stirred = () -> {};
  private final CountDownLatch connected = new CountDownLatch(1);
  private final ZooKeeper zookeeper;

  /** What is written in an entry never changes, so it is read once; empty for foreign ones. */
  private final ConcurrentMap<String, Optional<Presence>> entries = new ConcurrentHashMap<>();

  /**
   * Who was there at one moment.
   *
   * @param asked the nanosecond before the question was sent: this session was alive later
   * @param present the eldest first
   * @param self null when the entry of this stay is not there
   */
  record Look(long asked, List<Presence> present, @Nullable Member self) {
    List<Member> members() {
      return present.stream().map(Presence::member).toList();
    }
  }

  /** Set at the end of entering. */
  private @Nullable Look entered;

  private Stay(HbaseConfig config) {
    this.config = config;
    folder = folder(config);
    int millis = Math.toIntExact(config.session().toMillis());
    var client = new ZKClientConfig();
    client.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(millis));
    try {
      zookeeper = new ZooKeeper(config.zookeeper(), millis, this::happened, client);
    } catch (IOException | IllegalArgumentException e) {
      throw new StorageFault(
          "ZooKeeper cannot be reached at " + config.zookeeper() + ": " + e.getMessage(), e);
    }
  }

  /** Tables of the same name in two HBases have different folders: no table's name has an '@'. */
  static String folder(HbaseConfig config) {
    boolean usual = config.parent().equals(HbaseConfig.USUAL_PARENT);
    String which = usual ? "" : config.parent().replace('/', '@');
    return "/orrery/" + config.table() + which + "/members";
  }

  /**
   * Enters, unless those who are there do not have in common with the newcomer what they must;
   * fails with a StorageFault that says what to do about it.
   */
  static Stay begin(HbaseConfig config, Joining joining) throws InterruptedException {
    var stay = new Stay(config);
    try {
      stay.enter(joining);
      return stay;
    } catch (InterruptedException | RuntimeException e) {
      stay.close();
      throw e;
    }
  }

  /** What the first look showed. */
  Look entered() {
    return Objects.requireNonNull(entered);
  }

  /** The node itself, under the number of this stay. */
  Member self() {
    return Objects.requireNonNull(entered().self());
  }

  /** From now on the action is run when it may be worth to look; it must not block. */
  void onStir(Runnable action) {
    stirred = action;
    action.run();
  }

  /** Whether ZooKeeper has ended the session. */
  boolean over() {
    return !zookeeper.getState().isAlive();
  }

  private void happened(WatchedEvent event) {
    if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
      connected.countDown();
    }
    stirred.run();
  }

  private void enter(Joining joining) throws InterruptedException {
    // A node that died with this address keeps it until its session is over.
    Duration patience = config.patience().plus(config.session());
    long deadline = System.nanoTime() + patience.toNanos();
    if (!connected.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new StorageFault(
          ("No ZooKeeper answers at " + config.zookeeper() + " for " + patience.toSeconds() + " s")
              + "; start it, or correct its address");
    }
    while (!attempted(joining, deadline)) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private boolean attempted(Joining joining, long deadline) throws InterruptedException {
    boolean over = System.nanoTime() - deadline > 0;
    try {
      return entered(joining, over);
    } catch (KeeperException.ConnectionLossException
        | KeeperException.OperationTimeoutException
        | KeeperException.RequestTimeoutException e) {
      if (over) {
        throw fault("does not answer", e);
      }
      return false;
    } catch (KeeperException.NoAuthException | KeeperException.AuthFailedException e) {
      throw fault("does not let this node write " + folder + "; allow it", e);
    } catch (KeeperException e) {
      throw fault("could not be joined", e);
    }
  }

  private boolean entered(Joining joining, boolean over)
      throws KeeperException, InterruptedException {
    if (zookeeper.exists(folder, false) == null) {
      makeFolder();
    }
    Look before = look();
    if (before.self() == null) {
      requireCommon(before.present(), joining);
      Optional<Member> former = namesake(before.present(), joining);
      if (former.isPresent() && over) {
        throw taken(former.get());
      } else if (former.isPresent()) {
        return false;
      }
      create(folder + "/" + name, Presence.written(joining), CreateMode.EPHEMERAL);
    }
    Look after = look();
    Member self = after.self();
    if (self == null) {
      return false;
    }
    // Of two that came at once the elder stays.
    List<Presence> elders =
        after.present().stream().filter(one -> one.member().number() < self.number()).toList();
    requireCommon(elders, joining);
    Optional<Member> elder = namesake(elders, joining);
    if (elder.isPresent()) {
      throw taken(elder.get());
    }
    entered = after;
    return true;
  }

  private static StorageFault taken(Member namesake) {
    return new StorageFault(
        "Another node has joined as " + namesake.address() + "; give each its own address");
  }

  private StorageFault fault(String what, KeeperException cause) {
    return new StorageFault(
        "ZooKeeper at " + config.zookeeper() + " " + what + " (" + cause.getMessage() + ")", cause);
  }

  private static Optional<Member> namesake(List<Presence> present, Joining joining) {
    return present.stream()
        .map(Presence::member)
        .filter(member -> member.address().equals(joining.address()))
        .findFirst();
  }

  private static void requireCommon(List<Presence> present, Joining joining) {
    for (Presence other : present) {
      String differences = other.differences(joining);
      if (!differences.isEmpty()) {
        throw new StorageFault(
            ("This node differs from the node " + other.member().address() + " in " + differences)
                + "; give all nodes the same");
      }
    }
  }

  private void makeFolder() throws KeeperException, InterruptedException {
    for (int end = folder.indexOf('/', 1); end >= 0; end = folder.indexOf('/', end + 1)) {
      create(folder.substring(0, end), new byte[0], CreateMode.PERSISTENT);
    }
    create(folder, new byte[0], CreateMode.PERSISTENT);
  }

  private void create(String path, byte[] data, CreateMode mode)
      throws KeeperException, InterruptedException {
    try {
      var _ = zookeeper.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    } catch (KeeperException.NodeExistsException e) {
      // Made before, by somebody else or by an attempt whose answer was lost.
    }
  }

  /**
   * Asks who is there. The question goes to the leader of ZooKeeper, since its other servers may
   * lag behind without knowing it, and answer nodes whose session is over.
   */
  Look look() throws KeeperException, InterruptedException {
    long asked = System.nanoTime();
    var synced = new CompletableFuture<KeeperException.Code>();
    zookeeper.sync(
        folder, (code, path, none) -> synced.complete(KeeperException.Code.get(code)), null);
    List<String> names = zookeeper.getChildren(folder, true);
    requireDone(synced);
    entries.keySet().retainAll(names);
    var present = new ArrayList<Presence>();
    Member self = null;
    for (String each : names) {
      Optional<Presence> entry = entry(each);
      entry.ifPresent(present::add);
      if (each.equals(name)) {
        self = entry.map(Presence::member).orElse(null);
      }
    }
    present.sort(Comparator.comparingLong(entry -> entry.member().number()));
    return new Look(asked, List.copyOf(present), self);
  }

  private void requireDone(CompletableFuture<KeeperException.Code> synced)
      throws KeeperException, InterruptedException {
    KeeperException.Code code;
    try {
      code = synced.get(config.session().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      code = KeeperException.Code.OPERATIONTIMEOUT;
    }
    if (code != KeeperException.Code.OK) {
      throw KeeperException.create(code, folder);
    }
  }

  private Optional<Presence> entry(String each) throws KeeperException, InterruptedException {
    Optional<Presence> known = entries.get(each);
    if (known != null) {
      return known;
    }
    try {
      var stat = new Stat();
      byte[] data = zookeeper.getData(folder + "/" + each, false, stat);
      var read = Presence.read(stat.getCzxid(), Objects.requireNonNullElse(data, new byte[0]));
      entries.put(each, read);
      return read;
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  /** How long ZooKeeper waits for this session, which it decides itself. */
  Duration agreed() {
    return Duration.ofMillis(zookeeper.getSessionTimeout());
  }

  /** Leaves: the entry goes with the session. */
  @Override
  public void close() {
    try {
      zookeeper.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
