package io.orrery.routing;

import io.orrery.operation.Limits;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.Tenure;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.Intent;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.PartitionId;
import io.orrery.storage.StorageFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node among others. Each partition has a node that all agree on as soon as they agree on who is
 * there; until then epochs and leases keep it right. The eldest leads: it changes the catalog, and
 * serves what is being split or merged.
 */
final class Together implements Nodes {
  private static final Duration SPREAD_MAX = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Logger LOG = LoggerFactory.getLogger(Together.class);

  private final Membership membership;
  private final Conversation others;
  private final Catalog catalog;
  private final Limits limits;
  private final NodeTimes times;

  /** Null where time is the system's. */
  private final @Nullable VirtualClock clock;

  private final LongAdder lost = new LongAdder();

  /** The number under which this node has come to know the catalog; it serves under no other. */
  private volatile long joined;

  /** The number under which this node leads. */
  private volatile long led;

  Together(
      Neighbours neighbours,
      Conversation others,
      Catalog catalog,
      Limits limits,
      @Nullable VirtualClock clock) {
    this.limits = limits;
    this.clock = clock;
    this.membership = neighbours.membership();
    this.times = neighbours.times();
    this.others = others;
    this.catalog = catalog;
  }

  @Override
  public long term() {
    return membership.self().number();
  }

  @Override
  public boolean isCurrent() {
    return membership.isCurrent() && joined == membership.self().number();
  }

  /** How often another node has taken over what this one thought to serve. */
  long lost() {
    return lost.sum();
  }

  List<Member> members() {
    return membership.members();
  }

  /** The addresses of members that this node could not reach when it tried last. */
  List<String> unreachable() {
    return membership.members().stream().filter(others::isSilent).map(Member::address).toList();
  }

  boolean isSelf(Member member) {
    return member.number() == membership.self().number();
  }

  /**
   * The node that serves a partition; null when nobody is there. This one does it for a node that
   * it cannot reach, though others may: then both are slow, but right.
   */
  @Nullable Member ownerOf(PartitionId id) {
    CatalogImage image = catalog.image();
    Member owner =
        isReshaped(image, id)
            ? eldest()
            : Rendezvous.choose(BudgetOwner.of(image, id, limits), membership.members());
    return owner != null && others.isAway(owner) ? membership.self() : owner;
  }

  /** Asks nodes that were out of reach whether they still are; whether one is away no more. */
  boolean reachAgain() {
    boolean reached = false;
    for (Member member : membership.members()) {
      if (others.isSilent(member)) {
        boolean away = others.isAway(member);
        var _ = others.ask(member, new Message.WhichCatalog());
        reached |= away && !others.isAway(member);
      }
    }
    return reached;
  }

  /** Whoever leads serves what it splits or merges. */
  private static boolean isReshaped(CatalogImage image, PartitionId id) {
    Collection<Intent> intents = image.intents();
    return !intents.isEmpty() && intents.stream().anyMatch(intent -> intent.sources().contains(id));
  }

  @Nullable Member eldest() {
    List<Member> members = membership.members();
    return members.isEmpty() ? null : members.getFirst();
  }

  @Override
  public boolean serves(PartitionId id) {
    Member owner = ownerOf(id);
    return owner != null && isSelf(owner);
  }

  @Override
  public boolean leads() {
    Member eldest = eldest();
    return eldest != null && isSelf(eldest) && led == eldest.number() && isCurrent();
  }

  @Override
  public Tenure tenure() {
    return new NodeTenure(membership.self().number());
  }

  @Override
  public void requireTurn(long epoch) {
    // Whoever is about to lead changes the catalog before it says so.
    Member eldest = eldest();
    if (eldest == null
        || !isSelf(eldest)
        || !membership.isCurrent()
        || epoch != membership.self().number()) {
      // If it leads again it takes the catalog over anew: somebody else may have had its turn, and
      // what could not be undone now is undone then.
      led = 0;
      throw new NotHere("Another node changes the catalog");
    }
  }

  @Override
  public long acknowledged(PartitionId id) {
    Member owner = ownerOf(id);
    if (owner == null || isSelf(owner)) {
      throw new PartitionMoved();
    }
    if (others.ask(owner, new Message.HowFar(id.value())) instanceof Message.At(long version)) {
      return version;
    }
    throw new PartitionMoved();
  }

  @Override
  public Drawn draw(PartitionId id, RequestCharge estimate) {
    Member owner = ownerOf(id);
    Message answer =
        owner == null
            ? new Message.Failed("nobody serves it")
            : others.ask(owner, new Message.Draw(id.value(), estimate));
    if (answer instanceof Message.Spent(Refusal refusal)) {
      throw new Refused(refusal);
    }
    if (owner == null || !(answer instanceof Message.Done)) {
      // The read that follows waits for whoever serves it then.
      return (charge, key) -> {};
    }
    return (charge, key) ->
        others.tell(owner, new Message.Settle(id.value(), estimate, charge, key));
  }

  @Override
  public Budget.@Nullable Usage usage(PartitionId id) {
    Member owner = ownerOf(id);
    return owner != null
            && others.ask(owner, new Message.HowUsed(id.value()))
                instanceof Message.Used(Budget.Usage usage)
        ? usage
        : null;
  }

  @Override
  public @Nullable String addressOf(PartitionId id) {
    Member owner = ownerOf(id);
    return owner == null ? null : owner.address();
  }

  @Override
  public void grown() {
    Member eldest = eldest();
    if (eldest != null) {
      others.tell(eldest, new Message.Grown());
    }
  }

  @Override
  public void tell(VirtualClock.Reading time) {
    List<Member> all = new ArrayList<>(membership.members());
    all.removeIf(this::isSelf);
    List<Member> told = others.askAll(all, new Message.Time(time));
    if (told.size() < all.size()) {
      LOG.warn("Not all of the nodes {} have heard what the virtual clock shows", all);
    }
  }

  /** What the virtual clock here shows; null where time is the system's. */
  VirtualClock.@Nullable Reading time() {
    return clock == null ? null : clock.reading();
  }

  void follow(VirtualClock.Reading time) {
    if (clock != null) {
      clock.follow(time);
    }
  }

  @Override
  public void await(long version) {
    long deadline = System.nanoTime() + SPREAD_MAX.toNanos();
    Set<Long> following = new HashSet<>();
    following.add(membership.self().number());
    while (true) {
      List<Member> missing = new ArrayList<>(membersNow());
      missing.removeIf(member -> following.contains(member.number()));
      if (missing.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        // They still serve, by conditional commits, what they own; they ask for it when they can.
        LOG.warn("Nodes {} do not hear of version {} of the catalog", missing, version);
        return;
      }
      List<Member> told = others.askAll(missing, new Message.Follow(version));
      told.forEach(member -> following.add(member.number()));
      if (told.size() < missing.size()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Nobody may be told that a change failed because it is not known who has to hear of it. */
  private List<Member> membersNow() {
    try {
      return membership.membersNow();
    } catch (StorageFault e) {
      LOG.info("Those that were there last are told of the catalog: {}", e.getMessage());
      return membership.members();
    }
  }

  /**
   * Asks whoever leads for changes of the catalog that this node has not been told of: the last
   * leader may have died before it could. One that is away tells nobody, but the storage does.
   *
   * @return whether there were some
   */
  boolean hearOfCatalog() {
    Member eldest = eldest();
    if (eldest == null || isSelf(eldest)) {
      return false;
    }
    return others.ask(eldest, new Message.WhichCatalog()) instanceof Message.At(long version)
        ? catalog.follow(version)
        : others.isAway(eldest) && catalog.followStorage();
  }

  /**
   * Makes this node ready to serve under the number that it has now; blocks.
   *
   * @return whether it is
   */
  boolean settle() {
    long number = membership.self().number();
    Member eldest = eldest();
    if (!membership.isCurrent() || eldest == null) {
      return false;
    }
    if (isSelf(eldest) && led != number) {
      catalog.recover(tenure());
      led = number;
      LOG.info("Node {} leads", number);
    }
    if (!isSelf(eldest) && joined != number) {
      if (others.ask(eldest, new Message.WhichCatalog()) instanceof Message.At(long version)) {
        catalog.follow(version);
      } else if (others.isAway(eldest)) {
        // What it changes from now on it tells all members, or they find it in the storage.
        var _ = catalog.followStorage();
        LOG.warn("Node {} leads but cannot be reached; it changes nothing from here", eldest);
      } else {
        return false;
      }
      if (clock != null) {
        if (!(others.ask(eldest, new Message.WhichTime()) instanceof Message.Time(var shown))) {
          return false;
        }
        clock.follow(shown);
      }
    }
    joined = number;
    return true;
  }

  /** The right that a number gives, as long as the others count that number in. */
  private final class NodeTenure implements Tenure {
    private final long number;

    NodeTenure(long number) {
      this.number = number;
    }

    @Override
    public long epoch(long found) {
      return number;
    }

    @Override
    public Duration dismiss(PartitionId partition, long epoch) {
      for (Member member : membership.membersNow()) {
        if (member.number() == epoch) {
          Message answer = others.ask(member, new Message.Release(partition.value()));
          return answer instanceof Message.Done ? Duration.ZERO : times.takeover();
        }
      }
      // It is not counted in any more, and knows it: see Membership.isCurrent.
      return Duration.ZERO;
    }

    @Override
    public Duration lease() {
      return times.lease();
    }

    @Override
    public boolean isCurrent() {
      return membership.isCurrent() && membership.self().number() == number;
    }

    @Override
    public void lost() {
      lost.increment();
    }
  }
}
