package io.orrery.server;

import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.Limits;
import io.orrery.script.ScriptSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the server was asked to run, checked. The command line wins over the environment, that over
 * the file, that over what is usual.
 *
 * @param tablePort 0 for any free one, {@link #OFF} for none
 * @param querySpillBytes empty for a part of the disk
 * @param keys the account keys that the user gave, the others are made by the server
 */
record Settings(
    Path data,
    Engine engine,
    Hbase hbase,
    String host,
    int port,
    int tablePort,
    String tableAccount,
    Node node,
    Map<KeyName, String> keys,
    Access access,
    TlsChoice tls,
    Limits limits,
    Enforcement enforcement,
    Clock clock,
    ConsistencyLevel consistency,
    Durability durability,
    boolean dataLossAccepted,
    long cacheBytes,
    OptionalLong querySpillBytes,
    boolean cacheCounted,
    Scripts scripts,
    int drainSeconds,
    LogLevel log,
    ClientSettings clients) {

  /** Where the data is kept. */
  enum Engine {
    ROCKSDB,
    MEMORY,
    HBASE
  }

  /** The cluster that keeps the data with {@link Engine#HBASE}. */
  record Hbase(String zookeeper, String parent, String table, Wal wal, int sessionSeconds) {

    /** When a write is answered. */
    enum Wal {
      SYNC,
      FSYNC
    }
  }

  /**
   * Where other nodes reach this one, with {@link Engine#HBASE}.
   *
   * @param port 0 for any free one
   * @param address empty when it is that of the port
   */
  record Node(int port, String address) {

    /**
     * What the others are told.
     *
     * @param bound the port that is listened on
     */
    String told(String host, int bound) {
      String name = host.contains(":") ? "[" + host + "]" : host;
      return address.isEmpty() ? name + ":" + bound : address;
    }
  }

  /**
   * Who gets in beside those with a key of the account.
   *
   * @param hostNames other names of the server than those of loopback
   * @param auditLog a path, {@code off}, or empty for the usual place
   * @param keyFiles the file that each key was read from, where a rotation finds the new one
   */
  record Access(
      WellKnownKey wellKnownKey,
      List<String> hostNames,
      String auditLog,
      Map<KeyName, Path> keyFiles) {
    Access {
      hostNames = List.copyOf(hostNames);
      keyFiles = Map.copyOf(keyFiles);
    }
  }

  /** Where the emulator's key works. */
  enum WellKnownKey {
    AUTO,
    EVERYWHERE,
    OFF
  }

  /** What becomes of requests beyond the provisioned throughput. */
  enum Enforcement {
    ENFORCE,
    METER
  }

  /** Which time fills budgets and lets partitions split. */
  enum Clock {
    SYSTEM,
    VIRTUAL
  }

  /** When a write is answered. */
  enum Durability {
    SYNC,
    OS
  }

  /**
   * What scripts have.
   *
   * @param memoryBytes of each process
   */
  record Scripts(int processes, long memoryBytes) {}

  /** How much is logged. */
  enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  /** The port of a protocol that is not served. */
  static final int OFF = -1;

  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
  private static final Pattern SERVERS =
      Pattern.compile("[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*");
  private static final Pattern NODE_ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s,:/\\[\\]]+):([1-9]\\d{0,4})");
  private static final Pattern HOST_NAME =
      Pattern.compile("[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]{2,45}");
  private static final Pattern PARENT = Pattern.compile("(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+");
  private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
  private static final long CACHE_BYTES_LEAST = 1 << 20;
  private static final long QUERY_SPILL_BYTES_LEAST = 1 << 20;
  private static final int SCRIPT_PROCESSES_MOST = 256;
  private static final int PORT_MOST = 65_535;
  private static final int SESSION_SECONDS_MOST = 300;
  private static final int DRAIN_SECONDS_MOST = 3600;
  private static final int PARTITION_UNITS_MOST = 1_000_000;

  /** Whether nothing outlives the process. */
  boolean inMemory() {
    return engine == Engine.MEMORY;
  }

  static Settings read(Map<Setting, String> commandLine, Map<String, String> environment) {
    var given = new EnumMap<Setting, Given>(Setting.class);
    for (Setting setting : Setting.values()) {
      fromOutside(setting, commandLine, environment).ifPresent(value -> given.put(setting, value));
    }
    Given config = given.get(Setting.CONFIG);
    if (config != null) {
      SettingsFile.read(Path.of(config.value())).forEach(given::putIfAbsent);
    }
    return checked(given);
  }

  private static Optional<Given> fromOutside(
      Setting setting, Map<Setting, String> commandLine, Map<String, String> environment) {
    String value = commandLine.get(setting);
    if (value != null) {
      return Optional.of(new Given(setting, value, setting.options().getFirst()));
    }
    return setting.variables().stream()
        .filter(environment::containsKey)
        .findFirst()
        .map(name -> new Given(setting, environment.getOrDefault(name, ""), name));
  }

  private static Settings checked(Map<Setting, Given> given) {
    boolean memory = valueOf(given, Setting.MEMORY).truth();
    Engine engine = valueOf(given, Setting.ENGINE).oneOf(Engine.class);
    if (memory && engine != Engine.MEMORY && given.containsKey(Setting.ENGINE)) {
      throw valueOf(given, Setting.ENGINE).refused("memory, because memory is true");
    }
    Given host = valueOf(given, Setting.HOST);
    if (host.value().isBlank()) {
      throw host.refused("an address or a host name");
    }
    int port = valueOf(given, Setting.PORT).number(0, PORT_MOST);
    return new Settings(
        path(valueOf(given, Setting.DATA)),
        memory ? Engine.MEMORY : engine,
        hbase(given, engine),
        host.value(),
        port,
        tablePort(given, port),
        account(valueOf(given, Setting.TABLE_ACCOUNT)),
        node(given, engine, host.value(), port),
        KeyRing.given(given),
        access(given),
        tls(valueOf(given, Setting.TLS)),
        limits(given),
        valueOf(given, Setting.ENFORCEMENT).oneOf(Enforcement.class),
        valueOf(given, Setting.CLOCK).oneOf(Clock.class),
        valueOf(given, Setting.CONSISTENCY).oneOf(ConsistencyLevel.class),
        valueOf(given, Setting.DURABILITY).oneOf(Durability.class),
        valueOf(given, Setting.ACCEPT_DATA_LOSS).truth(),
        valueOf(given, Setting.CACHE).bytes(CACHE_BYTES_LEAST),
        querySpillBytes(given),
        valueOf(given, Setting.CACHE_COUNTED).truth(),
        new Scripts(
            valueOf(given, Setting.SCRIPT_PROCESSES).number(1, SCRIPT_PROCESSES_MOST),
            valueOf(given, Setting.SCRIPT_MEMORY).bytes(ScriptSettings.MEMORY_BYTES_LEAST)),
        valueOf(given, Setting.DRAIN).number(0, DRAIN_SECONDS_MOST),
        valueOf(given, Setting.LOG).oneOf(LogLevel.class),
        clients(given));
  }

  private static ClientSettings clients(Map<Setting, Given> given) {
    Given plain = valueOf(given, Setting.PLAIN_HTTP);
    boolean served = isOn(plain);
    if (!served && tls(valueOf(given, Setting.TLS)) instanceof TlsChoice.Off) {
      throw plain.refused("on, because tls is off and nothing would be served");
    }
    int most = ClientSettings.CONNECTIONS_MOST;
    return new ClientSettings(
        valueOf(given, Setting.CONNECTIONS).number(1, most),
        valueOf(given, Setting.CONNECTIONS_PER_ADDRESS).number(1, most),
        served,
        isOn(valueOf(given, Setting.METRICS_NAMES)));
  }

  private static boolean isOn(Given given) {
    return given.oneOf(ClientSettings.Switch.class) == ClientSettings.Switch.ON;
  }

  private static OptionalLong querySpillBytes(Map<Setting, Given> given) {
    Given bytes = given.get(Setting.QUERY_SPILL_BYTES);
    return bytes == null
        ? OptionalLong.empty()
        : OptionalLong.of(bytes.bytes(QUERY_SPILL_BYTES_LEAST));
  }

  private static Access access(Map<Setting, Given> given) {
    Given names = valueOf(given, Setting.HOST_NAME);
    List<String> found =
        Arrays.stream(names.value().split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    if (!found.stream().allMatch(name -> HOST_NAME.matcher(name).matches())) {
      throw names.refused("names or addresses without a port, several separated by commas");
    }
    return new Access(
        valueOf(given, Setting.WELL_KNOWN_KEY).oneOf(WellKnownKey.class),
        found,
        valueOf(given, Setting.AUDIT_LOG).value(),
        KeyRing.files(given));
  }

  private static Hbase hbase(Map<Setting, Given> given, Engine engine) {
    Given zookeeper = valueOf(given, Setting.HBASE_ZOOKEEPER);
    boolean needed = engine == Engine.HBASE || given.containsKey(Setting.HBASE_ZOOKEEPER);
    if (needed && !SERVERS.matcher(zookeeper.value()).matches()) {
      throw zookeeper.refused("HOST:PORT of ZooKeeper, several separated by commas");
    }
    Given table = valueOf(given, Setting.HBASE_TABLE);
    if (!TABLE.matcher(table.value()).matches()) {
      throw table.refused("letters, digits, '_', '-' and '.', 100 at most");
    }
    Given parent = valueOf(given, Setting.HBASE_PARENT);
    if (!PARENT.matcher(parent.value()).matches()) {
      throw parent.refused("a path such as /hbase of letters, digits, '_', '-' and '.'");
    }
    return new Hbase(
        zookeeper.value(),
        parent.value(),
        table.value(),
        valueOf(given, Setting.HBASE_WAL).oneOf(Hbase.Wal.class),
        valueOf(given, Setting.HBASE_SESSION).number(1, SESSION_SECONDS_MOST));
  }

  private static Node node(Map<Setting, Given> given, Engine engine, String host, int port) {
    boolean any = port == 0 && !given.containsKey(Setting.NODE_PORT);
    int nodePort = any ? 0 : valueOf(given, Setting.NODE_PORT).number(0, PORT_MOST);
    Given address = given.get(Setting.NODE_ADDRESS);
    if (address == null) {
      if (engine == Engine.HBASE && isEveryAddress(host)) {
        throw valueOf(given, Setting.NODE_ADDRESS)
            .refused("HOST:PORT, because others cannot reach this node as " + host);
      }
      return new Node(nodePort, "");
    }
    Matcher parts = NODE_ADDRESS.matcher(address.value());
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > PORT_MOST) {
      throw address.refused("HOST:PORT under which the other nodes reach this one");
    }
    return new Node(nodePort, address.value());
  }

  private static boolean isEveryAddress(String host) {
    try {
      return InetAddress.ofLiteral(host).isAnyLocalAddress();
    } catch (IllegalArgumentException name) {
      return false;
    }
  }

  private static Given valueOf(Map<Setting, Given> given, Setting setting) {
    return Objects.requireNonNullElseGet(
        given.get(setting), () -> new Given(setting, setting.standard(), "default"));
  }

  /** Where any port will do for the one protocol, it does for all whose port is not given. */
  private static int tablePort(Map<Setting, Given> given, int port) {
    Given wanted = given.get(Setting.TABLE_PORT);
    if (wanted == null && port == 0) {
      return 0;
    }
    Given value = valueOf(given, Setting.TABLE_PORT);
    if (value.value().equals("off")) {
      return OFF;
    }
    try {
      return value.number(0, PORT_MOST);
    } catch (StartRefused notOne) {
      throw value.refused("off, or a number from 0 to " + PORT_MOST);
    }
  }

  private static String account(Given given) {
    if (!ACCOUNT.matcher(given.value()).matches()) {
      throw given.refused("lower-case letters, digits and dashes, 63 at most");
    }
    return given.value();
  }

  private static Path path(Given given) {
    if (given.value().isBlank()) {
      throw given.refused("a directory");
    }
    return Path.of(given.value()).toAbsolutePath().normalize();
  }

  /** Those of the preset, but for what is given one by one. */
  private static Limits limits(Map<Setting, Given> given) {
    Given preset = valueOf(given, Setting.LIMITS);
    Limits limits =
        switch (preset.value()) {
          case "seeds" -> Limits.SEEDS;
          case "today" -> Limits.TODAY;
          default -> throw preset.refused("seeds, today");
        };
    Given logical = given.get(Setting.LOGICAL_PARTITION_BYTES);
    Given physical = given.get(Setting.PARTITION_BYTES);
    Given units = given.get(Setting.PARTITION_UNITS);
    return limits
        .withPartitionBytes(
            logical == null ? limits.logicalPartitionBytes() : logical.bytes(1),
            physical == null ? limits.physicalPartitionBytes() : physical.bytes(1))
        .withPartitionUnits(
            units == null
                ? limits.physicalPartitionUnitsPerSecond()
                : units.number(1, PARTITION_UNITS_MOST));
  }

  private static TlsChoice tls(Given given) {
    String[] parts = given.value().split(",", -1);
    return switch (given.value()) {
      case "auto" -> new TlsChoice.OwnAuthority();
      case "off" -> new TlsChoice.Off();
      default -> {
        if (parts.length != 2 || Arrays.stream(parts).anyMatch(String::isBlank)) {
          throw given.refused("auto, off, or two PEM files as CERT,KEY");
        }
        yield new TlsChoice.Files(Path.of(parts[0].strip()), Path.of(parts[1].strip()));
      }
    };
  }
}
