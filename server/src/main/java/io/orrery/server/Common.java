package io.orrery.server;

import io.orrery.operation.Limits;
import io.orrery.storage.Joining;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all nodes of an account must have in common, since a client may ask any of them: per option
 * its value, or a fingerprint of a key.
 */
final class Common {
  private static final int FINGERPRINT_BYTES = 4;

  private Common() {}

  /**
   * What this node tells about itself.
   *
   * @param keys all four of the account
   * @param port where it hears the others
   */
  static Joining joining(Settings settings, Map<KeyName, String> keys, int port) {
    String version = Commands.version();
    String address = settings.node().told(settings.host(), port);
    return new Joining(address, version, of(settings, keys, version));
  }

  static Map<String, String> of(Settings settings, Map<KeyName, String> keys, String version) {
    var common = new TreeMap<String, String>();
    common.put("version", compatible(version));
    keys.forEach((name, key) -> put(common, name.setting(), "fingerprint " + fingerprint(key)));
    Limits limits = settings.limits();
    put(common, Setting.LIMITS, limits.fixedContainers() ? "seeds" : "today");
    put(common, Setting.PARTITION_BYTES, Long.toString(limits.physicalPartitionBytes()));
    put(common, Setting.LOGICAL_PARTITION_BYTES, Long.toString(limits.logicalPartitionBytes()));
    int units = limits.physicalPartitionUnitsPerSecond();
    put(common, Setting.PARTITION_UNITS, Integer.toString(units));
    put(common, Setting.ENFORCEMENT, word(settings.enforcement()));
    put(common, Setting.CLOCK, word(settings.clock()));
    put(common, Setting.CONSISTENCY, word(settings.consistency()));
    put(common, Setting.TABLE_ACCOUNT, settings.tableAccount());
    put(common, Setting.HBASE_SESSION, Integer.toString(settings.hbase().sessionSeconds()));
    return common;
  }

  private static void put(Map<String, String> common, Setting setting, String value) {
    common.put(setting.options().getFirst(), value);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Nodes whose versions agree up to the second number understand each other. */
  private static String compatible(String version) {
    String[] parts = version.split("\\.", -1);
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }

  /** Tells keys apart and nothing else about them. */
  private static String fingerprint(String key) {
    byte[] whole = KeyRing.digest(key, "the same on all nodes");
    return HexFormat.of().formatHex(whole, 0, FINGERPRINT_BYTES);
  }
}
