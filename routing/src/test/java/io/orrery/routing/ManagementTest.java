package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Cut;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ManagementOperation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see and do, by a clock that stands still unless it is told. */
class ManagementTest {
  private static final Limits SMALL = Limits.SEEDS.withPartitionBytes(60_000, 100_000);
  private static final ContainerRef CONTAINER = TestDatabase.CONTAINER;

  private final TestDatabase database =
      new TestDatabase(
          new MemoryStorage(),
          DatabaseSettings.of(SMALL).withThrottling().withClock(new VirtualClock()));

  @AfterEach
  void close() {
    database.close();
  }

  private void create(int units) {
    database.createDatabase("d");
    database.createContainer(TestDatabase.KEYED, new Throughput.Manual(units));
  }

  private void insert(String key, int count) {
    for (int n = 0; n < count; n++) {
      String body = "{'id':'%d','pk':'%s','t':'%s'}".formatted(n, key, "x".repeat(150));
      Outcome outcome = database.create(PartitionKey.of(key), body);
      if (outcome instanceof Refusal.Throttled) {
        database.outcome(new Operation.AdvanceClock(Duration.ofSeconds(1)));
        outcome = database.create(PartitionKey.of(key), body);
      }
      assertInstanceOf(Outcome.ItemCreated.class, outcome);
    }
  }

  private Value report(ManagementOperation operation) {
    var outcome = assertInstanceOf(Outcome.Managed.class, database.outcome(operation));
    return Json.parse(outcome.report().bytes().array());
  }

  private static Value at(Value json, Object... path) {
    Value found = json;
    for (Object step : path) {
      found =
          switch (found) {
            case Value.Obj(Map<String, Value> members) ->
                members.getOrDefault(step.toString(), Value.UNDEFINED);
            case Value.Arr(List<Value> items) when step instanceof Integer at -> items.get(at);
            default -> Value.UNDEFINED;
          };
    }
    return found;
  }

  private static long number(Value json, Object... path) {
    return (long) assertInstanceOf(Value.Num.class, at(json, path)).asDouble();
  }

  private static int size(Value json, Object... path) {
    return assertInstanceOf(Value.Arr.class, at(json, path)).items().size();
  }

  private void advance(long millis) {
    report(new Operation.AdvanceClock(Duration.ofMillis(millis)));
  }

  @Test
  void partitionsTellWhatTheyHoldAndWhoUsesThem() {
    create(1_000);
    insert("small", 3);
    insert("large", 30);
    Value json = report(new Operation.SurveyPartitions(CONTAINER));
    assertEquals(Value.of("d"), at(json, "database"));
    assertEquals(Value.of("/pk"), at(json, "partitionKey", 0));
    assertEquals(Value.of("manual"), at(json, "throughput", "kind"));
    assertEquals(Value.TRUE, at(json, "splittable"));
    Value partition = at(json, "partitions", 0);
    assertEquals(Value.of("0"), at(partition, "id"));
    assertEquals(Value.of("FF"), at(partition, "maxExclusive"));
    assertEquals(33, number(partition, "items"));
    assertEquals(2, number(partition, "logicalPartitions"));
    assertEquals(1_000, number(partition, "unitsPerSecondGranted"));
    long used = number(partition, "unitsUsed");
    assertTrue(used > 33 * 5, "" + used);
    long recent = number(partition, "unitsPerSecondUsed");
    assertTrue(Math.abs(recent - used / 5) <= 1, used + " and " + recent);
    assertEquals(Value.of("large"), at(partition, "hottestKeys", 0, "key", 0));
    assertEquals(Value.of("large"), at(partition, "largestKeys", 0, "key", 0));
    assertEquals(30, number(partition, "largestKeys", 0, "items"));
    assertEquals(2, size(partition, "largestKeys"));
    assertEquals(Value.NULL, at(partition, "busy"));
    advance(10_000);
    Value later = at(report(new Operation.SurveyPartitions(CONTAINER)), "partitions", 0);
    assertEquals(0, number(later, "unitsPerSecondUsed"));
    assertEquals(used, number(later, "unitsUsed"));
    Value listed = at(report(new Operation.SurveyContainers()), "containers", 0);
    assertEquals(at(partition, "bytes"), at(listed, "bytes"));
    assertEquals(1, number(listed, "partitions"));
  }

  @Test
  void timeStandsStillUntilItIsAdvanced() {
    create(400);
    insert("k", 1);
    Refusal.Throttled refused = null;
    while (refused == null) {
      refused =
          database.read(PartitionKey.of("k"), "0") instanceof Refusal.Throttled throttled
              ? throttled
              : null;
    }
    assertInstanceOf(Refusal.Throttled.class, database.read(PartitionKey.of("k"), "0"));
    advance(refused.retryAfterMillis());
    assertInstanceOf(Outcome.ItemRead.class, database.read(PartitionKey.of("k"), "0"));
    Value partition = at(report(new Operation.SurveyPartitions(CONTAINER)), "partitions", 0);
    assertEquals(2, number(partition, "throttled"));
    assertEquals(
        refused.retryAfterMillis(), number(report(new Operation.ReadClock()), "milliseconds"));
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.outcome(new Operation.AdvanceClock(Duration.ofMillis(-1))));
  }

  @Test
  void partitionsSplitOnlyWhileTimePasses() {
    create(10_000);
    for (int key = 0; key < 120; key++) {
      insert("k" + key, 6);
    }
    assertEquals(1, size(report(new Operation.SurveyPartitions(CONTAINER)), "partitions"));
    assertEquals(0, size(report(new Operation.ListReshapes(null)), "operations"));
    advance(0);
    int partitions = size(report(new Operation.SurveyPartitions(CONTAINER)), "partitions");
    assertTrue(partitions > 1, "" + partitions);
    Value events = report(new Operation.ListReshapes(CONTAINER));
    assertEquals(partitions - 1, size(events, "operations"));
    assertEquals(Value.of("storage"), at(events, "operations", 0, "cause"));
    assertEquals(Value.of("Succeeded"), at(events, "operations", 0, "phase"));
  }

  @Test
  void phasesAreSteppedThrough() {
    create(1_000);
    insert("a", 5);
    insert("b", 5);
    var split = new Operation.SplitPartition(CONTAINER, "0", new Cut.Midpoint(), true);
    Outcome.Managed begun = assertInstanceOf(Outcome.Managed.class, database.outcome(split));
    assertTrue(begun.begun());
    Value operation = Json.parse(begun.report().bytes().array());
    long id = Long.parseLong(assertInstanceOf(Value.Text.class, at(operation, "id")).value());
    assertEquals(Value.of("Preparing"), at(operation, "phase"));
    assertEquals(Value.TRUE, at(operation, "stepped"));
    assertEquals(
        at(operation, "id"),
        at(report(new Operation.SurveyPartitions(CONTAINER)), "partitions", 0, "busy"));
    assertInstanceOf(Refusal.Busy.class, database.outcome(split));
    assertEquals(Value.of("Swapping"), at(report(new Operation.AdvanceReshape(id)), "phase"));
    assertEquals(1, size(report(new Operation.SurveyPartitions(CONTAINER)), "partitions"));
    insert("c", 5);
    Value ended = report(new Operation.AdvanceReshape(id));
    assertEquals(Value.of("Succeeded"), at(ended, "phase"));
    assertEquals(Value.of("2"), at(ended, "targets", 1));
    assertEquals(ended, report(new Operation.ReadReshape(id)));
    assertInstanceOf(Refusal.BadRequest.class, database.outcome(new Operation.AdvanceReshape(id)));
    assertInstanceOf(Refusal.NotFound.class, database.outcome(new Operation.ReadReshape(id + 1)));
    var merge = new Operation.MergePartitions(CONTAINER, List.of("1", "2"), true);
    Value merged = report(merge);
    assertEquals(Value.of("merge"), at(merged, "kind"));
  }

  @Test
  void keysOutsideOfTheHashSpaceAreNoCuts() {
    create(1_000);
    for (String hex : List.of("", "40", "FF", "50AB")) {
      var cut = new Cut.At(new EffectivePartitionKey(hex));
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.outcome(new Operation.SplitPartition(CONTAINER, "0", cut, false)),
          hex);
    }
    var unknown = new Operation.SurveyPartitions(ContainerRef.of("d", "none"));
    assertInstanceOf(Refusal.OwnerNotFound.class, database.outcome(unknown));
  }

  @Test
  void rangesOfTheFirstHashingAreCutBetweenHashes() {
    database.createDatabase("d");
    database.createContainer(
        "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash'}}", new Throughput.Manual(1_000));
    for (String hex : List.of("20", "05", "05C1", "05C1E", "05C1E1", "06C1E0", "05FFFE")) {
      var cut = new Cut.At(new EffectivePartitionKey(hex));
      assertInstanceOf(
          Refusal.BadRequest.class,
          database.outcome(new Operation.SplitPartition(CONTAINER, "0", cut, false)),
          hex);
    }
    EffectivePartitionKey quarter = EffectivePartitionKey.ofHashV1(1L << 30);
    var split = new Operation.SplitPartition(CONTAINER, "0", new Cut.At(quarter), true);
    Value operation = report(split);
    long id = Long.parseLong(assertInstanceOf(Value.Text.class, at(operation, "id")).value());
    report(new Operation.AdvanceReshape(id));
    report(new Operation.AdvanceReshape(id));
    Value halved = report(new Operation.SplitPartition(CONTAINER, "1", new Cut.Midpoint(), true));
    assertEquals(Value.of("Preparing"), at(halved, "phase"));
  }

  @Test
  void sharedThroughputIsNamed() {
    database.createDatabase("d", new Throughput.Manual(4_000));
    database.createContainer(TestDatabase.KEYED, null);
    insert("a", 1);
    Value json = report(new Operation.SurveyPartitions(CONTAINER));
    assertEquals(Value.of("shared"), at(json, "throughput", "kind"));
    assertEquals(4_000, number(json, "partitions", 0, "unitsPerSecondGranted"));
  }
}
