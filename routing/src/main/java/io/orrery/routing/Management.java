package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.KeyRotation;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.partition.LargeKey;
import io.orrery.partition.Sizes;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.PartitionId;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows operators how containers lie over partitions, and splits and merges what they ask for. */
final class Management {
  private static final int LARGEST_KEYS = 5;
  private static final Duration PHASE_MAX = Duration.ofMinutes(10);
  private static final Duration ADVANCE_MAX = Duration.ofDays(1);

  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final Elasticity elasticity;
  private final Expiry expiry;
  private final Nodes nodes;
  private final DatabaseSettings settings;
  private final Supplier<DatabaseFigures.@Nullable OfNode> node;

  /**
   * @param node tells of this node's part among others, if there are some
   */
  Management(
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      Elasticity elasticity,
      Expiry expiry,
      Nodes nodes,
      DatabaseSettings settings,
      Supplier<DatabaseFigures.@Nullable OfNode> node) {
    this.node = node;
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.elasticity = elasticity;
    this.expiry = expiry;
    this.nodes = nodes;
    this.settings = settings;
  }

  /**
   * Does what an operator asks; blocks. Free of charge.
   *
   * @throws Refused when it cannot be done
   */
  Answer answer(Operation.ManagementOperation operation) {
    return switch (operation) {
      case Operation.SurveyContainers() -> told(containers());
      case Operation.SurveyPartitions(ContainerRef container) -> told(partitions(container));
      case Operation.SplitPartition(var container, String range, var cut, boolean stepped) ->
          begun(elasticity.split(elasticity.container(container), range, cut, stepped));
      case Operation.MergePartitions(var container, var ranges, boolean stepped) ->
          begun(elasticity.merge(elasticity.container(container), ranges, stepped));
      case Operation.ListReshapes(@Nullable ContainerRef container) -> told(reshapes(container));
      case Operation.ReadReshape(long id) -> told(json(find(id)));
      case Operation.AdvanceReshape(long id) -> told(json(advanced(find(id))));
      case Operation.ReadClock() -> told(clock(virtualClock()));
      case Operation.AdvanceClock(Duration by) -> told(clock(advanced(virtualClock(), by)));
      case Operation.RotateKey(String name) -> told(rotated(name));
    };
  }

  private Value rotated(String name) {
    String refusal = name.equals(KeyRotation.SECRET) ? rotateSecret() : keys().rotate(name);
    if (refusal != null) {
      throw new Refused(new Refusal.BadRequest(refusal));
    }
    return ManagementJson.of("rotated", Value.of(name));
  }

  private KeyRotation keys() {
    return settings.keyRotation();
  }

  private @Nullable String rotateSecret() {
    if (node.get() != null) {
      return "The secret cannot be rotated where several nodes share the storage: they know each"
          + " other by it.";
    }
    catalog.change(
        draft -> {
          draft.rotateSecret();
          return null;
        });
    return null;
  }

  private static Answer told(Value report) {
    return answer(report, false);
  }

  private static Answer begun(Reshape reshape) {
    return answer(json(reshape), true);
  }

  private static Answer answer(Value report, boolean begun) {
    return Answer.of(new Outcome.Managed(Body.json(Json.write(report)), begun), RequestCharge.NONE);
  }

  private Value containers() {
    CatalogImage image = catalog.image();
    List<ContainerEntry> all = List.copyOf(image.containers().values());
    return ManagementJson.of(
        "containers",
        ManagementJson.all(
            all,
            container ->
                ManagementJson.container(
                    image, container, sum(container), isPending(image, container))));
  }

  private Sizes sum(ContainerEntry container) {
    return container.map().ranges().stream().map(partitions::sizes).reduce(Sizes.NONE, Sizes::plus);
  }

  private boolean isPending(CatalogImage image, ContainerEntry container) {
    Limits limits = settings.limits();
    return Provisioning.isPending(image, container, limits);
  }

  private Value partitions(ContainerRef ref) {
    CatalogImage image = catalog.image();
    ContainerEntry container = ItemRouter.resolve(image, ref);
    var shown = new ArrayList<Value>();
    for (MappedRange range : container.map().ranges()) {
      shown.add(
          ManagementJson.partition(
              range,
              partitions.sizes(range),
              partitions.quarantined(range),
              budgets.usage(image, container, range),
              LargeKey.of(partitions.store(range.partition()), LARGEST_KEYS),
              intentOf(image, range),
              partitions.addressOf(range)));
    }
    return ManagementJson.partitions(image, container, shown, isPending(image, container));
  }

  /** For those who watch; opens no partition and does not wait for the storage. */
  DatabaseFigures figures() {
    CatalogImage image = catalog.image();
    Map<PartitionId, Sizes> sizes =
        partitions.servedSizes(
            image.containers().values().stream()
                .flatMap(container -> container.map().ranges().stream())
                .toList());
    var found = new ArrayList<DatabaseFigures.OfPartition>();
    for (ContainerEntry container : image.containers().values()) {
      for (MappedRange range : container.map().ranges()) {
        Sizes known = sizes.get(range.partition());
        if (known != null) {
          found.add(figures(image, container, range, known));
        }
      }
    }
    return new DatabaseFigures(found, elasticity.log().figures(), node.get());
  }

  private DatabaseFigures.OfPartition figures(
      CatalogImage image, ContainerEntry container, MappedRange range, Sizes sizes) {
    Budget.Usage usage = budgets.usageHere(image, container, range);
    return new DatabaseFigures.OfPartition(
        container.database().id(),
        container.id(),
        range.id(),
        sizes.bytes(),
        sizes.items(),
        sizes.logicalPartitions(),
        usage.unitsPerSecond(),
        usage.unitsUsed(),
        usage.throttled(),
        partitions.expired(range),
        partitions.quarantined(range));
  }

  private static @Nullable Intent intentOf(CatalogImage image, MappedRange range) {
    return image.intents().stream()
        .filter(intent -> intent.sources().contains(range.partition()))
        .findFirst()
        .orElse(null);
  }

  private Value reshapes(@Nullable ContainerRef ref) {
    List<Reshape> found = elasticity.log().latest();
    if (ref != null) {
      int number = elasticity.container(ref).number();
      found =
          found.stream()
              .filter(reshape -> reshape.report().plan().container().number() == number)
              .toList();
    }
    return ManagementJson.of("operations", ManagementJson.all(found, Management::json));
  }

  private static Value json(Reshape reshape) {
    return ManagementJson.reshape(reshape.report());
  }

  private Reshape find(long id) {
    Reshape found = elasticity.log().find(id);
    if (found == null) {
      throw new Refused(new Refusal.NotFound());
    }
    return found;
  }

  private static Reshape advanced(Reshape reshape) {
    Reshape.Report before = reshape.report();
    if (!before.stepped()) {
      throw new Refused(
          new Refusal.BadRequest(
              "Operation "
                  + before.id()
                  + " runs by itself: only one that was begun with \"stepped\":true waits to be"
                  + " advanced."));
    }
    if (!reshape.advance()) {
      throw new Refused(
          before.phase().isEnd()
              ? new Refusal.BadRequest("Operation " + before.id() + " has ended.")
              : new Refusal.Busy("Operation " + before.id() + " is being advanced already."));
    }
    try {
      reshape.awaitEndOf(before.phase(), PHASE_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return reshape;
  }

  private VirtualClock virtualClock() {
    if (settings.nanos() instanceof VirtualClock clock) {
      return clock;
    }
    throw new Refused(
        new Refusal.BadRequest(
            "The server goes by the time of the system: start it with --clock virtual."));
  }

  private VirtualClock advanced(VirtualClock clock, Duration by) {
    if (by.isNegative() || by.compareTo(ADVANCE_MAX) > 0) {
      throw new Refused(
          new Refusal.BadRequest(
              "The clock goes forward by 0 to " + ADVANCE_MAX.toMillis() + " milliseconds."));
    }
    clock.advance(by);
    nodes.tell(clock.reading());
    elasticity.settle();
    expiry.look();
    return clock;
  }

  private static Value clock(VirtualClock clock) {
    var json = new LinkedHashMap<String, Value>();
    json.put("clock", Value.of("virtual"));
    json.put("milliseconds", Value.of(clock.passed().toMillis()));
    return new Value.Obj(json);
  }
}
