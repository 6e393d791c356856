package io.orrery.routing.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Body;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.Throughput;
import io.orrery.operation.Ticks;
import io.orrery.partition.Partition;
import io.orrery.routing.definition.ContainerDefinition;
import io.orrery.routing.definition.PermissionDefinition;
import io.orrery.routing.definition.ScriptDefinition;
import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {true, false})
class CatalogTest {
  private static final ContainerDefinition KEYED =
      ContainerDefinition.parse(
          Body.json("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"), false);

  private final MemoryStorage storage;

  CatalogTest(boolean repeatable) {
    storage = new MemoryStorage(repeatable);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void crashBetweenIntentAndDecisionLeavesNothing() {
    var catalog = Catalog.open(storage);
    catalog.change(draft -> draft.addDatabase("d"));
    Intent intent = catalog.change(draft -> draft.addIntent(3, List.of()));
    intent.partitions().forEach(id -> Partition.create(storage.open(id), Ticks.now()));
    assertEquals(4, storage.list().size());

    var recovered = Catalog.open(storage);
    assertEquals(List.of(Catalog.PARTITION), storage.list());
    assertTrue(recovered.image().intents().isEmpty());
    assertTrue(recovered.image().containers().isEmpty());
    Intent next = recovered.change(draft -> draft.addIntent(1, List.of()));
    assertEquals(List.of(new PartitionId(4)), next.partitions(), "ids are not used again");
  }

  @Test
  void crashAfterTheDecisionLeavesTheContainer() {
    var catalog = Catalog.open(storage);
    DatabaseEntry database = catalog.change(draft -> draft.addDatabase("d"));
    Intent intent = catalog.change(draft -> draft.addIntent(2, List.of()));
    intent.partitions().forEach(id -> Partition.create(storage.open(id), Ticks.now()));
    catalog.change(draft -> draft.addContainer(database, KEYED, true, intent));

    var recovered = Catalog.open(storage);
    assertEquals(3, storage.list().size());
    ContainerEntry container = recovered.image().containers().firstEntry().getValue();
    assertEquals(
        intent.partitions(),
        container.map().ranges().stream().map(MappedRange::partition).toList());
    assertEquals(KEYED, container.definition());
    assertTrue(container.splittable());
  }

  @Test
  void partitionThatNothingNamesIsDropped() {
    Catalog.open(storage);
    Partition.create(storage.open(new PartitionId(77)), Ticks.now());
    Catalog.open(storage);
    assertEquals(List.of(Catalog.PARTITION), storage.list());
  }

  @Test
  void dataWithoutACatalogIsNotTakenForGarbage() {
    Partition.create(storage.open(new PartitionId(1)), Ticks.now());
    assertThrows(CatalogFault.class, () -> Catalog.open(storage));
    assertEquals(1, storage.list().size());
  }

  @Test
  void secretIsMadeOnceAndKept() {
    Secrets secrets = Catalog.open(storage).secrets();
    assertEquals(1, secrets.all().size());
    assertEquals(32, secrets.current().size());
    assertEquals(secrets, Catalog.open(storage).secrets());
  }

  @Test
  void rotatedSecretIsKeptBesideTheOneBefore() {
    Catalog catalog = Catalog.open(storage);
    Secrets before = catalog.secrets();
    for (int i = 0; i < 2; i++) {
      before = catalog.secrets();
      catalog.change(
          draft -> {
            draft.rotateSecret();
            return null;
          });
      assertEquals(List.of(catalog.secrets().current(), before.current()), catalog.secrets().all());
    }
    assertEquals(catalog.secrets(), Catalog.open(storage).secrets());
  }

  @Test
  void newerFormatIsRefusedWithAClearMessage() {
    Catalog.open(storage);
    var store = storage.open(Catalog.PARTITION);
    Head head = Objects.requireNonNull(store.get(FormatV1.FORMAT_KEY).head());
    var next =
        new Head(
            head.version() + 1,
            1,
            0,
            Head.State.OPEN,
            head.commitTicks() + 1,
            0,
            2,
            CommitId.random());
    store.commit(head, next, new Batch().put(FormatV1.FORMAT_KEY, FormatV1.format(2)));
    var fault = assertThrows(CatalogFault.class, () -> Catalog.open(storage));
    assertTrue(
        String.valueOf(fault.getMessage()).contains("newer Orrery: its format is 2"),
        fault.getMessage());
  }

  @Test
  void changesOfTwoOwnersOfOneStorageDoNotGetLost() throws Exception {
    var owners = Map.of("one", Catalog.open(storage), "other", Catalog.open(storage));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var changes = new ArrayList<Future<?>>();
      owners.forEach((name, owner) -> changes.add(threads.submit(() -> add(name, owner))));
      for (Future<?> change : changes) {
        change.get();
      }
    }
    assertEquals(1_000, Catalog.open(storage).image().databases().size());
  }

  private static void add(String name, Catalog owner) {
    for (int i = 0; i < 500; i++) {
      String database = name + i;
      owner.change(draft -> draft.addDatabase(database));
    }
  }

  @Test
  void changeThatThrowsLeavesNoTrace() {
    var catalog = Catalog.open(storage);
    assertThrows(
        IllegalStateException.class,
        () ->
            catalog.change(
                draft -> {
                  draft.addDatabase("d");
                  throw new IllegalStateException("Stop");
                }));
    assertFalse(catalog.image().hasDatabaseNamed("d"));
    assertEquals(1, catalog.change(draft -> draft.addDatabase("d")).number());
  }

  @Test
  void manyEntriesAreLoadedAcrossPages() {
    var catalog = Catalog.open(storage);
    catalog.change(
        draft -> {
          IntStream.range(0, 2_500).forEach(i -> draft.addDatabase("db" + i));
          return null;
        });
    assertEquals(2_500, Catalog.open(storage).image().databases().size());
  }

  /** What format 1 looks like on disk: written once, never to change. */
  @Test
  void formatOneIsFrozen() throws IOException {
    var version = new Version(7, 1, 17_000_000_000_000_000L);
    var database = new DatabaseEntry(1, "d", version);
    var map =
        PartitionMap.even(
            version, KEYED.key().hashing(), List.of(new PartitionId(3), new PartitionId(4)));
    var container = new ContainerEntry(database, 2, version, KEYED, map, false);
    var manual = new OfferEntry(1, version, "r", "s", new Throughput.Manual(400), 400);
    var autoscale = new OfferEntry(2, version, "r", "s", new Throughput.Autoscale(4_000, 5), 9);
    var intent = new Intent(5, List.of(new PartitionId(9)), List.of());
    var splitting = new Intent(6, List.of(new PartitionId(9)), List.of(new PartitionId(3)));
    var ended = List.of(new GoneRange(0, map.ranges().getFirst().epks(), 12));
    var split =
        container.with(
            map.reshaped(
                version,
                ended,
                List.of(map.ranges().getFirst().epks()),
                List.of(new PartitionId(9))));
    var counters = new Counters(1, 2, 3, 4, 5, 6, 1, 1);
    ScriptEntry procedure = procedure(version);
    ScriptEntry trigger = trigger(version);
    var allCounters = new Counters(1, 2, 3, 4, 5, 6, 7, 8);
    var user = new UserEntry(database, 5, "u", version);
    PermissionEntry permission = permission(version);
    var lines =
        List.of(
            line(FormatV1.FORMAT_KEY, FormatV1.format(1)),
            line(FormatV1.COUNTERS_KEY, FormatV1.encode(new Counters(1, 2, 3, 4, 5, 1, 1, 1))),
            line(FormatV1.databaseKey(1), FormatV1.encode(database)),
            line(FormatV1.containerKey(1, 2), FormatV1.encode(container)),
            line(FormatV1.offerKey(1), FormatV1.encode(manual)),
            line(FormatV1.offerKey(2), FormatV1.encode(autoscale)),
            line(FormatV1.intentKey(5), FormatV1.encode(intent)),
            line(FormatV1.intentKey(6), FormatV1.encode(splitting)),
            line(FormatV1.containerKey(1, 2), FormatV1.encode(split)),
            line(FormatV1.COUNTERS_KEY, FormatV1.encode(counters)),
            line(ScriptFormatV1.key(procedure), ScriptFormatV1.encode(procedure)),
            line(ScriptFormatV1.key(trigger), ScriptFormatV1.encode(trigger)),
            line(FormatV1.COUNTERS_KEY, FormatV1.encode(allCounters)),
            line(UserFormatV1.key(user), UserFormatV1.encode(user)),
            line(UserFormatV1.key(permission), UserFormatV1.encode(permission)));
    try (var golden = CatalogTest.class.getResourceAsStream("/catalog-format-1.txt")) {
      var expected =
          new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(expected, String.join("\n", lines) + "\n");
    }
    assertEquals(counters, FormatV1.counters(FormatV1.encode(counters)));
    assertEquals(allCounters, FormatV1.counters(FormatV1.encode(allCounters)));
    assertEquals(autoscale, FormatV1.offer(FormatV1.offerKey(2), FormatV1.encode(autoscale)));
    assertEquals(intent, FormatV1.intent(FormatV1.intentKey(5), FormatV1.encode(intent)));
    assertEquals(splitting, FormatV1.intent(FormatV1.intentKey(6), FormatV1.encode(splitting)));
    var read = FormatV1.container(database, FormatV1.containerKey(1, 2), FormatV1.encode(split));
    assertEquals(ended, read.map().gone());
    assertEquals(split.map().ranges(), read.map().ranges());
  }

  private static ScriptEntry procedure(Version version) {
    String body = "{\"id\":\"p\",\"body\":\"function () {}\"}";
    return new ScriptEntry(
        1, 2, 3, version, ScriptDefinition.parse(ScriptKind.STORED_PROCEDURE, Body.json(body)));
  }

  private static ScriptEntry trigger(Version version) {
    String body =
        "{\"id\":\"t\",\"body\":\"function () {}\",\"triggerType\":\"post\","
            + "\"triggerOperation\":\"replace\"}";
    return new ScriptEntry(
        1, 2, 4, version, ScriptDefinition.parse(ScriptKind.TRIGGER, Body.json(body)));
  }

  private static PermissionEntry permission(Version version) {
    String body =
        "{\"id\":\"p\",\"permissionMode\":\"all\",\"resource\":\"dbs/d/colls/c\","
            + "\"resourcePartitionKey\":[\"a\",7]}";
    return new PermissionEntry(1, 5, 6, version, PermissionDefinition.parse(Body.json(body)), "r");
  }

  @Test
  void scriptsAndUsersComeBackAsTheyWere() {
    var version = new Version(7, 1, 17_000_000_000_000_000L);
    for (ScriptEntry script : List.of(procedure(version), trigger(version))) {
      assertEquals(
          script, ScriptFormatV1.script(ScriptFormatV1.key(script), ScriptFormatV1.encode(script)));
    }
    var database = new DatabaseEntry(1, "d", version);
    var user = new UserEntry(database, 5, "u", version);
    assertEquals(
        user, UserFormatV1.user(database, UserFormatV1.key(user), UserFormatV1.encode(user)));
    PermissionEntry permission = permission(version);
    assertEquals(
        permission,
        UserFormatV1.permission(UserFormatV1.key(permission), UserFormatV1.encode(permission)));
  }

  @Test
  void entriesCarryOnlyKeysOfTheLayout() {
    var catalog = Catalog.open(storage);
    catalog.change(draft -> draft.addDatabase("d"));
    try (var snapshot = storage.open(Catalog.PARTITION).snapshot()) {
      var keys =
          snapshot.scan(Scan.forward(new byte[0], new byte[] {(byte) 0xFF})).entries().stream()
              .map(Entry::key)
              .map(HexFormat.of()::formatHex)
              .toList();
      assertEquals(List.of("00", "016400000001", "016e", "0173"), keys);
    }
  }

  private static String line(byte[] key, byte[] value) {
    return HexFormat.of().formatHex(key) + " " + new String(value, StandardCharsets.UTF_8);
  }
}
