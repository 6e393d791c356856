package io.orrery.routing.catalog;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Throughput;
import io.orrery.routing.definition.ContainerDefinition;
import io.orrery.storage.PartitionId;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Entries of the catalog to bytes and back, as the package's description lays them out. */
final class FormatV1 {
  static final int FORMAT = 1;
  static final byte[] FORMAT_KEY = {0};
  static final byte[] SECRET_KEY = {1, 's'};
  static final byte[] COUNTERS_KEY = {1, 'n'};
  static final byte[] FIRST_KEY = {};
  static final byte[] END_KEY = {2};

  private FormatV1() {}

  static byte[] databaseKey(int number) {
    return ByteBuffer.allocate(6).put((byte) 1).put((byte) 'd').putInt(number).array();
  }

  static byte[] containerKey(int database, int number) {
    return ByteBuffer.allocate(10)
        .put((byte) 1)
        .put((byte) 'c')
        .putInt(database)
        .putInt(number)
        .array();
  }

  static byte[] offerKey(int number) {
    return ByteBuffer.allocate(6).put((byte) 1).put((byte) 'o').putInt(number).array();
  }

  static byte[] intentKey(long number) {
    return ByteBuffer.allocate(10).put((byte) 1).put((byte) 'i').putLong(number).array();
  }

  static byte[] format(int format) {
    return write(Map.of("format", number(format)));
  }

  /** The format that the data is in. */
  static int formatOf(byte[] value) {
    return (int) longAt(members(Json.parse(value)), "format");
  }

  static byte[] encode(Counters counters) {
    var members = new LinkedHashMap<String, Value>();
    members.put("database", number(counters.database()));
    members.put("container", number(counters.container()));
    members.put("offer", number(counters.offer()));
    members.put("partition", number(counters.partition()));
    members.put("intent", number(counters.intent()));
    // Numbers of later kinds stand here once they are used.
    if (counters.script() > 1) {
      members.put("script", number(counters.script()));
    }
    if (counters.user() > 1) {
      members.put("user", number(counters.user()));
    }
    if (counters.permission() > 1) {
      members.put("permission", number(counters.permission()));
    }
    return write(members);
  }

  static Counters counters(byte[] value) {
    var members = members(Json.parse(value));
    return new Counters(
        (int) longAt(members, "database"),
        (int) longAt(members, "container"),
        (int) longAt(members, "offer"),
        longAt(members, "partition"),
        longAt(members, "intent"),
        laterCounter(members, "script"),
        laterCounter(members, "user"),
        laterCounter(members, "permission"));
  }

  private static int laterCounter(Map<String, Value> members, String name) {
    return members.containsKey(name) ? (int) longAt(members, name) : 1;
  }

  static byte[] encode(DatabaseEntry database) {
    var members = new LinkedHashMap<String, Value>();
    members.put("id", Value.of(database.id()));
    members.put("version", version(database.version()));
    return write(members);
  }

  static DatabaseEntry database(byte[] key, byte[] value) {
    var members = members(Json.parse(value));
    return new DatabaseEntry(
        ByteBuffer.wrap(key).getInt(2), textAt(members, "id"), versionAt(members));
  }

  static byte[] encode(ContainerEntry container) {
    var members = new LinkedHashMap<String, Value>();
    members.put("version", version(container.version()));
    members.put("definition", container.definition().json());
    members.put("splittable", Value.of(container.splittable()));
    members.put("map", encode(container.map()));
    return write(members);
  }

  /** The database in the key of what stands directly in one. */
  static int databaseOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(2);
  }

  static ContainerEntry container(DatabaseEntry database, byte[] key, byte[] value) {
    var members = members(Json.parse(value));
    return new ContainerEntry(
        database,
        ByteBuffer.wrap(key).getInt(6),
        versionAt(members),
        ContainerDefinition.stored(new Value.Obj(members(at(members, "definition")))),
        map(members(at(members, "map"))),
        at(members, "splittable").equals(Value.TRUE));
  }

  private static Value encode(PartitionMap map) {
    var ranges = new ArrayList<Value>();
    for (MappedRange range : map.ranges()) {
      var members = new LinkedHashMap<String, Value>();
      members.put("number", number(range.number()));
      members.put("min", Value.of(range.epks().min().hex()));
      members.put("max", Value.of(range.epks().max().hex()));
      members.put("partition", number(range.partition().value()));
      members.put("parents", new Value.Arr(range.parents().stream().map(Value::of).toList()));
      ranges.add(new Value.Obj(members));
    }
    var members = new LinkedHashMap<String, Value>();
    members.put("version", version(map.version()));
    members.put("next", number(map.nextNumber()));
    members.put("ranges", new Value.Arr(ranges));
    if (!map.gone().isEmpty()) {
      members.put("gone", new Value.Arr(map.gone().stream().map(FormatV1::encode).toList()));
    }
    return new Value.Obj(members);
  }

  private static Value encode(GoneRange range) {
    var members = new LinkedHashMap<String, Value>();
    members.put("number", number(range.number()));
    members.put("min", Value.of(range.epks().min().hex()));
    members.put("max", Value.of(range.epks().max().hex()));
    members.put("lsn", number(range.lsn()));
    return new Value.Obj(members);
  }

  private static EpkRange epks(Map<String, Value> range) {
    return new EpkRange(
        new EffectivePartitionKey(textAt(range, "min")),
        new EffectivePartitionKey(textAt(range, "max")));
  }

  private static PartitionMap map(Map<String, Value> members) {
    var ranges = new ArrayList<MappedRange>();
    for (Value item : items(at(members, "ranges"))) {
      var range = members(item);
      ranges.add(
          MappedRange.of(
              longAt(range, "number"),
              epks(range),
              new PartitionId(longAt(range, "partition")),
              longs(at(range, "parents"), Long::valueOf)));
    }
    var gone = new ArrayList<GoneRange>();
    if (members.containsKey("gone")) {
      for (Value item : items(at(members, "gone"))) {
        var range = members(item);
        gone.add(new GoneRange(longAt(range, "number"), epks(range), longAt(range, "lsn")));
      }
    }
    return new PartitionMap(versionAt(members), ranges, gone, longAt(members, "next"));
  }

  static byte[] encode(OfferEntry offer) {
    var members = new LinkedHashMap<String, Value>();
    members.put("version", version(offer.version()));
    members.put("rid", Value.of(offer.resourceRid()));
    members.put("self", Value.of(offer.resourceSelf()));
    switch (offer.throughput()) {
      case Throughput.Manual(int units) -> members.put("manual", number(units));
      case Throughput.Autoscale(int maximum, int percent) -> {
        members.put("maximum", number(maximum));
        members.put("increment", number(percent));
      }
    }
    members.put("highest", number(offer.highestUnits()));
    return write(members);
  }

  static OfferEntry offer(byte[] key, byte[] value) {
    var members = members(Json.parse(value));
    Throughput throughput =
        members.containsKey("manual")
            ? new Throughput.Manual((int) longAt(members, "manual"))
            : new Throughput.Autoscale(
                (int) longAt(members, "maximum"), (int) longAt(members, "increment"));
    return new OfferEntry(
        ByteBuffer.wrap(key).getInt(2),
        versionAt(members),
        textAt(members, "rid"),
        textAt(members, "self"),
        throughput,
        (int) longAt(members, "highest"));
  }

  static byte[] encode(Intent intent) {
    var members = new LinkedHashMap<String, Value>();
    members.put("partitions", ids(intent.partitions()));
    if (!intent.sources().isEmpty()) {
      members.put("sources", ids(intent.sources()));
    }
    return write(members);
  }

  private static Value ids(List<PartitionId> partitions) {
    return new Value.Arr(partitions.stream().map(id -> Value.of(id.value())).toList());
  }

  static Intent intent(byte[] key, byte[] value) {
    var members = members(Json.parse(value));
    return new Intent(
        ByteBuffer.wrap(key).getLong(2),
        longs(at(members, "partitions"), PartitionId::new),
        members.containsKey("sources")
            ? longs(at(members, "sources"), PartitionId::new)
            : List.of());
  }

  static byte[] write(Map<String, Value> members) {
    return Json.write(new Value.Obj(members));
  }

  private static Value number(long value) {
    return Value.of(value);
  }

  static Value version(Version version) {
    return new Value.Arr(
        List.of(number(version.lsn()), number(version.position()), number(version.commitTicks())));
  }

  static Version versionAt(Map<String, Value> members) {
    List<Long> parts = longs(at(members, "version"), Long::valueOf);
    return new Version(parts.get(0), parts.get(1).intValue(), parts.get(2));
  }

  static Value at(Map<String, Value> members, String name) {
    Value value = members.get(name);
    if (value == null) {
      throw new CatalogFault("A catalog entry lacks the member " + name);
    }
    return value;
  }

  static String textAt(Map<String, Value> members, String name) {
    if (at(members, name) instanceof Value.Text(String text)) {
      return text;
    }
    throw new CatalogFault("A catalog entry has no text in the member " + name);
  }

  private static long longAt(Map<String, Value> members, String name) {
    return asLong(at(members, name));
  }

  private static long asLong(Value value) {
    if (value instanceof Value.Int64(long number)) {
      return number;
    }
    throw new CatalogFault("A catalog entry has no integer where one is expected");
  }

  static Map<String, Value> members(Value value) {
    if (value instanceof Value.Obj(var members)) {
      return members;
    }
    throw new CatalogFault("A catalog entry is not an object");
  }

  private static List<Value> items(Value value) {
    if (value instanceof Value.Arr(var items)) {
      return items;
    }
    throw new CatalogFault("A catalog entry has no array where one is expected");
  }

  private static <T> List<T> longs(Value value, LongFunction<T> make) {
    return items(value).stream().map(item -> make.apply(asLong(item))).toList();
  }
}
