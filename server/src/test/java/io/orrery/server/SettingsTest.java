package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.AccountKeys;
import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  /** Per setting a value that is allowed and not the default. */
  private static final Map<Setting, String> OTHER_VALUES =
      Map.ofEntries(
          Map.entry(Setting.DATA, "elsewhere"),
          Map.entry(Setting.MEMORY, "true"),
          Map.entry(Setting.ENGINE, "memory"),
          Map.entry(Setting.HBASE_ZOOKEEPER, "zoo1:2181,zoo2:2181"),
          Map.entry(Setting.HBASE_PARENT, "/hbase-secure"),
          Map.entry(Setting.HBASE_TABLE, "shop"),
          Map.entry(Setting.HBASE_WAL, "fsync"),
          Map.entry(Setting.HBASE_SESSION, "10"),
          Map.entry(Setting.HOST, "::1"),
          Map.entry(Setting.PORT, "0"),
          Map.entry(Setting.TABLE_PORT, "off"),
          Map.entry(Setting.TABLE_ACCOUNT, "company"),
          Map.entry(Setting.NODE_PORT, "0"),
          Map.entry(Setting.NODE_ADDRESS, "node-1.example:8903"),
          Map.entry(Setting.PRIMARY_KEY, "cHJpbWFyeSBrZXkgb2YgYSB0ZXN0"),
          Map.entry(Setting.SECONDARY_KEY, "c2Vjb25kYXJ5IGtleSBvZiBhIHRlc3Q="),
          Map.entry(Setting.PRIMARY_READONLY_KEY, "cHJpbWFyeSByZWFkaW5nIGtleQ=="),
          Map.entry(Setting.SECONDARY_READONLY_KEY, "c2Vjb25kYXJ5IHJlYWRpbmcga2V5"),
          Map.entry(Setting.WELL_KNOWN_KEY, "off"),
          Map.entry(Setting.HOST_NAME, "db.test,other.test"),
          Map.entry(Setting.TLS, "cert.pem,key.pem"),
          Map.entry(Setting.PLAIN_HTTP, "off"),
          Map.entry(Setting.CONNECTIONS, "500"),
          Map.entry(Setting.CONNECTIONS_PER_ADDRESS, "50"),
          Map.entry(Setting.METRICS_NAMES, "on"),
          Map.entry(Setting.LIMITS, "today"),
          Map.entry(Setting.PARTITION_BYTES, "300KB"),
          Map.entry(Setting.LOGICAL_PARTITION_BYTES, "200KB"),
          Map.entry(Setting.PARTITION_UNITS, "1000"),
          Map.entry(Setting.ENFORCEMENT, "meter"),
          Map.entry(Setting.CLOCK, "virtual"),
          Map.entry(Setting.CONSISTENCY, "BoundedStaleness"),
          Map.entry(Setting.DURABILITY, "os"),
          Map.entry(Setting.ACCEPT_DATA_LOSS, "true"),
          Map.entry(Setting.CACHE, "1GB"),
          Map.entry(Setting.QUERY_SPILL_BYTES, "2GB"),
          Map.entry(Setting.CACHE_COUNTED, "true"),
          Map.entry(Setting.SCRIPT_PROCESSES, "17"),
          Map.entry(Setting.SCRIPT_MEMORY, "512MB"),
          Map.entry(Setting.DRAIN, "3"),
          Map.entry(Setting.AUDIT_LOG, "off"),
          Map.entry(Setting.LOG, "debug"));

  @TempDir Path folder;

  @Test
  void defaultsAreTheDocumentedOnes() {
    Settings settings = Settings.read(Map.of(), Map.of());
    assertEquals(Path.of("data").toAbsolutePath(), settings.data());
    assertEquals("127.0.0.1", settings.host());
    assertEquals(8081, settings.port());
    assertEquals(8902, settings.tablePort());
    assertEquals("localhost", settings.tableAccount());
    assertEquals(new Settings.Node(8903, ""), settings.node());
    assertEquals(6, settings.hbase().sessionSeconds());
    assertEquals(Settings.Engine.ROCKSDB, settings.engine());
    assertEquals(Limits.SEEDS, settings.limits());
    assertEquals(Settings.Enforcement.ENFORCE, settings.enforcement());
    assertEquals(ConsistencyLevel.SESSION, settings.consistency());
    assertEquals(Settings.Durability.SYNC, settings.durability());
    assertEquals(new TlsChoice.OwnAuthority(), settings.tls());
    assertEquals(Map.of(), settings.keys());
  }

  @Test
  void everySettingIsAnOptionAVariableAndAKeyWithTheSameEffect() throws IOException {
    Settings usual = Settings.read(Map.of(), Map.of());
    for (Setting setting : Setting.values()) {
      if (setting == Setting.CONFIG) {
        continue;
      }
      String value = OTHER_VALUES.getOrDefault(setting, "missing in this test");
      Settings byOption = Settings.read(Map.of(setting, value), Map.of());
      assertFalse(byOption.equals(usual), () -> setting + " has no effect");
      for (String variable : setting.variables()) {
        assertEquals(byOption, Settings.read(Map.of(), Map.of(variable, value)), variable);
      }
      for (String key : setting.keys()) {
        Settings inFile = fromFile(key.replace(".", ":\n  ") + ": \"" + value + "\"\n");
        if (setting.secret()) {
          // The same key, which can be read anew from there.
          assertEquals(byOption.keys(), inFile.keys(), key);
          assertEquals(inFile.keys().keySet(), inFile.access().keyFiles().keySet(), key);
        } else {
          assertEquals(byOption, inFile, key);
        }
      }
    }
  }

  @Test
  void namesOfTheServerMayBeAList() throws IOException {
    Settings listed = fromFile("hostName:\n  - db.test\n  - other.test\n");
    assertEquals(List.of("db.test", "other.test"), listed.access().hostNames());
    assertThrows(
        StartRefused.class,
        () -> Settings.read(Map.of(Setting.HOST_NAME, "db.test:8081/x"), Map.of()));
  }

  @Test
  void anyPortForOneProtocolIsAnyPortForTheOther() {
    Settings any = Settings.read(Map.of(Setting.PORT, "0"), Map.of());
    assertEquals(0, any.tablePort());
    Settings given = Settings.read(Map.of(Setting.PORT, "0", Setting.TABLE_PORT, "9000"), Map.of());
    assertEquals(9000, given.tablePort());
    assertEquals(0, any.node().port());
    Settings node = Settings.read(Map.of(Setting.PORT, "0", Setting.NODE_PORT, "9001"), Map.of());
    assertEquals(9001, node.node().port());
  }

  @Test
  void otherNodesAreToldWhatTheyCanReach() {
    assertEquals("127.0.0.1:9001", new Settings.Node(0, "").told("127.0.0.1", 9001));
    assertEquals("[::1]:9001", new Settings.Node(0, "").told("::1", 9001));
    assertEquals("outside:1", new Settings.Node(0, "outside:1").told("0.0.0.0", 9001));
    for (String every : new String[] {"0.0.0.0", "::"}) {
      var options = new EnumMap<Setting, String>(Setting.class);
      options.put(Setting.HOST, every);
      Settings.read(options, Map.of());
      options.put(Setting.ENGINE, "hbase");
      options.put(Setting.HBASE_ZOOKEEPER, "localhost:2181");
      String message = refusal(options);
      assertTrue(message.contains("nodeAddress"), message);
      assertTrue(message.contains("others cannot reach this node as " + every), message);
      options.put(Setting.NODE_ADDRESS, "[fe80::1]:8903");
      assertEquals("[fe80::1]:8903", Settings.read(options, Map.of()).node().told(every, 1));
    }
  }

  @Test
  void commandLineWinsOverEnvironmentOverFileOverDefault() throws IOException {
    Path file = Files.writeString(folder.resolve("o.yaml"), "port: 1\nhost: localhost\nlog: warn");
    var options = new EnumMap<Setting, String>(Map.of(Setting.PORT, "3"));
    var environment = new HashMap<String, String>();
    environment.put("ORRERY_CONFIG", file.toString());
    environment.put("ORRERY_PORT", "2");
    environment.put("ORRERY_HOST", "::1");
    Settings settings = Settings.read(options, environment);
    assertEquals(3, settings.port());
    assertEquals("::1", settings.host());
    assertEquals(Settings.LogLevel.WARN, settings.log());
    assertEquals(Settings.Durability.SYNC, settings.durability());
  }

  @Test
  void badValuesAreRefusedWithKeyValueAndWhatIsAllowed() {
    refused(Setting.PORT, "70000", "a number from 0 to 65535");
    refused(Setting.PORT, "http", "a number from 0 to 65535");
    refused(Setting.TABLE_PORT, "on", "off, or a number from 0 to 65535");
    refused(Setting.TABLE_ACCOUNT, "A/b", "lower-case letters");
    refused(Setting.MEMORY, "maybe", "true, false");
    refused(Setting.ENGINE, "oracle", "rocksdb, memory, hbase");
    refused(Setting.HBASE_ZOOKEEPER, "zoo1", "HOST:PORT of ZooKeeper");
    refused(Setting.HBASE_ZOOKEEPER, "zoo1:2181,", "HOST:PORT of ZooKeeper");
    for (String bad : new String[] {"hbase", "/", "/hbase/", "/a//b", "/a b"}) {
      refused(Setting.HBASE_PARENT, bad, "a path such as /hbase");
    }
    refused(Setting.HBASE_TABLE, "a b", "letters, digits");
    refused(Setting.HBASE_WAL, "os", "sync, fsync");
    refused(Setting.HBASE_SESSION, "0", "a number from 1 to 300");
    refused(Setting.NODE_PORT, "off", "a number from 0 to 65535");
    for (String bad : new String[] {"", "node", ":8903", "node:0", "node:70000", "::1:8903"}) {
      refused(Setting.NODE_ADDRESS, bad, "HOST:PORT under which the other nodes reach this one");
    }
    refused(Setting.LIMITS, "none", "seeds, today");
    refused(Setting.DURABILITY, "never", "sync, os");
    refused(Setting.CONSISTENCY, "total", "session");
    refused(Setting.TLS, "on", "auto, off, or two PEM files");
    refused(Setting.CACHE, "much", "a size such as 64MB");
    refused(Setting.CACHE, "99999999999GB", "a size such as 64MB");
    refused(Setting.PARTITION_BYTES, "0", "at least 1B");
    refused(Setting.PARTITION_BYTES, "-300KB", "a size such as 64MB");
    refused(Setting.LOGICAL_PARTITION_BYTES, "0MB", "at least 1B");
    refused(Setting.PARTITION_UNITS, "0", "a number from 1 to 1000000");
    refused(Setting.PARTITION_UNITS, "-10000", "a number from 1");
    refused(Setting.PARTITION_UNITS, "1KB", "a number from 1");
    refused(Setting.DRAIN, "-1", "a number from 0");
    refused(Setting.CONNECTIONS, "0", "a number from 1");
    refused(Setting.PLAIN_HTTP, "no", "on, off");
    refused(Setting.SCRIPT_PROCESSES, "0", "a number from 1 to 256");
    refused(Setting.SCRIPT_MEMORY, "63MB", "at least 64MB");
    refused(Setting.LOG, "loud", "error, warn, info, debug");
    refused(Setting.HOST, " ", "an address");
    refused(Setting.DATA, "", "a directory");
  }

  @Test
  void limitsOfPartitionsStandOnTopOfThePreset() {
    Limits limits =
        Settings.read(
                Map.of(
                    Setting.LIMITS, "today",
                    Setting.PARTITION_BYTES, "300KB",
                    Setting.PARTITION_UNITS, "1000"),
                Map.of())
            .limits();
    Limits today = Limits.TODAY;
    assertEquals(
        today.withPartitionBytes(today.logicalPartitionBytes(), 300 << 10).withPartitionUnits(1000),
        limits);
    var logical = Map.of(Setting.LOGICAL_PARTITION_BYTES, "2 MB");
    assertEquals(2 << 20, Settings.read(logical, Map.of()).limits().logicalPartitionBytes());
  }

  @Test
  void badKeyIsRefusedWithoutShowingIt() {
    String message = refusal(Map.of(Setting.PRIMARY_KEY, "no/base=64"));
    assertTrue(message.startsWith("keys.primary: (hidden)"), message);
    assertFalse(message.contains("no/base"), message);
  }

  @Test
  void memoryDoesNotGoWithAnotherEngine() {
    String message = refusal(Map.of(Setting.MEMORY, "true", Setting.ENGINE, "rocksdb"));
    assertTrue(message.contains("memory is true"), message);
  }

  @Test
  void hbaseNeedsAnAddress() {
    String message = refusal(Map.of(Setting.ENGINE, "hbase"));
    assertTrue(message.startsWith("hbase.zookeeper: '' is refused"), message);
    assertTrue(message.contains("HOST:PORT of ZooKeeper"), message);
    Settings settings =
        Settings.read(
            Map.of(Setting.ENGINE, "hbase", Setting.HBASE_ZOOKEEPER, "localhost:2181"), Map.of());
    assertEquals(
        new Settings.Hbase("localhost:2181", "/hbase", "orrery", Settings.Hbase.Wal.SYNC, 6),
        settings.hbase());
    assertFalse(settings.inMemory());
  }

  @Test
  void unknownKeyInTheFileIsRefusedWithTheKnownOnes() {
    for (String yaml : new String[] {"prot: 8081", "keys: {tertiary: x}", "tls: {cert: x}"}) {
      String message =
          String.valueOf(assertThrows(StartRefused.class, () -> fromFile(yaml)).getMessage());
      assertTrue(message.contains("is no setting; allowed: data, "), message);
    }
  }

  @Test
  void brokenFilesAreRefused() {
    for (String yaml : new String[] {"port: [1]", "port:", "- port", "port: 1\nport: 2", "a: 'b"}) {
      assertThrows(StartRefused.class, () -> fromFile(yaml), yaml);
    }
    String message = refusal(Map.of(Setting.CONFIG, folder.resolve("none.yaml").toString()));
    assertTrue(message.contains("does not exist"), message);
  }

  @Test
  void emptyFileChangesNothing() throws IOException {
    assertEquals(Settings.read(Map.of(), Map.of()), fromFile("# nothing yet\n"));
  }

  @Test
  void numbersAndTruthsOfYamlNeedNoQuotes() throws IOException {
    Settings settings =
        fromFile("port: 0\nmemory: true\nkeys:\n  primary: " + AccountKeys.WELL_KNOWN);
    assertEquals(0, settings.port());
    assertTrue(settings.inMemory());
    assertInstanceOf(String.class, settings.keys().get(KeyName.PRIMARY));
  }

  @Test
  void optionsReadAsPeopleWriteThem() {
    assertEquals("--key", Setting.PRIMARY_KEY.options().getFirst());
    assertEquals("ORRERY_KEY", Setting.PRIMARY_KEY.variables().getFirst());
    assertEquals("--keys-primary-readonly", Setting.PRIMARY_READONLY_KEY.options().getFirst());
    assertEquals("ORRERY_DRAIN_SECONDS", Setting.DRAIN.variables().getFirst());
    long names =
        Arrays.stream(Setting.values()).flatMap(s -> s.options().stream()).distinct().count();
    assertEquals(Setting.values().length + 1, names);
  }

  private Settings fromFile(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("orrery.yaml"), yaml);
    return Settings.read(Map.of(Setting.CONFIG, file.toString()), Map.of());
  }

  private static void refused(Setting setting, String value, String allowed) {
    String message = refusal(Map.of(setting, value));
    assertTrue(message.contains(setting.key() + ": '" + value + "'"), message);
    assertTrue(message.contains(setting.options().getFirst()), message);
    assertTrue(message.contains("allowed: "), message);
    assertTrue(message.contains(allowed), message);
  }

  private static String refusal(Map<Setting, String> options) {
    return String.valueOf(
        assertThrows(StartRefused.class, () -> Settings.read(options, Map.of())).getMessage());
  }
}
