package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Joining;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What nodes compare when one joins. */
class CommonTest {
  private static final Map<KeyName, String> KEYS = KeyRing.fresh();
  private static final Map<Setting, String> HBASE =
      Map.of(Setting.ENGINE, "hbase", Setting.HBASE_ZOOKEEPER, "localhost:2181");

  @Test
  void settingsThatClientsWouldNoticeAreCompared() {
    var differing =
        Map.of(
            Setting.LIMITS, "today",
            Setting.PARTITION_BYTES, "300KB",
            Setting.LOGICAL_PARTITION_BYTES, "200KB",
            Setting.PARTITION_UNITS, "1000",
            Setting.ENFORCEMENT, "meter",
            Setting.CLOCK, "virtual",
            Setting.CONSISTENCY, "Strong",
            Setting.TABLE_ACCOUNT, "company",
            Setting.HBASE_SESSION, "10");
    Map<String, String> usual = common(Map.of(), KEYS, "1.2.3");
    differing.forEach(
        (setting, value) ->
            assertTrue(
                differences(usual, common(Map.of(setting, value), KEYS, "1.2.3"))
                    .contains(setting.options().getFirst()),
                setting.key()));
  }

  @Test
  void settingsOfOneNodeAreItsOwn() {
    var own =
        Map.of(
            Setting.HOST, "::1",
            Setting.PORT, "1",
            Setting.DATA, "elsewhere",
            Setting.NODE_PORT, "2",
            Setting.LOG, "debug");
    assertEquals(common(Map.of(), KEYS, "1.2.3"), common(own, KEYS, "1.2.3"));
  }

  @Test
  void eachKeyIsComparedAndNoneIsShown() {
    Map<String, String> usual = common(Map.of(), KEYS, "1.2.3");
    for (KeyName name : KeyName.values()) {
      var other = new EnumMap<>(KEYS);
      other.put(name, KeyRing.fresh().get(name));
      assertEquals(
          Set.of(name.setting().options().getFirst()),
          differences(usual, common(Map.of(), other, "1.2.3")));
      String shown = usual.getOrDefault(name.setting().options().getFirst(), "");
      assertTrue(shown.matches("fingerprint [0-9a-f]{8}"), shown);
      assertFalse(usual.toString().contains(String.valueOf(KEYS.get(name))));
    }
  }

  @Test
  void versionsAgreeUpToTheSecondNumber() {
    assertEquals(common(Map.of(), KEYS, "1.2.3"), common(Map.of(), KEYS, "1.2.10-SNAPSHOT"));
    assertNotEquals(common(Map.of(), KEYS, "1.2.3"), common(Map.of(), KEYS, "1.3.3"));
    assertEquals("development", common(Map.of(), KEYS, "development").get("version"));
  }

  @Test
  void othersAreToldTheAddress() {
    Settings settings = Settings.read(HBASE, Map.of());
    Joining joining = Common.joining(settings, KEYS, 7);
    assertEquals("127.0.0.1:7", joining.address());
    assertEquals(Common.of(settings, KEYS, joining.build()), joining.common());
  }

  private static Map<String, String> common(
      Map<Setting, String> options, Map<KeyName, String> keys, String version) {
    var all = new EnumMap<Setting, String>(HBASE);
    all.putAll(options);
    return Common.of(Settings.read(all, Map.of()), keys, version);
  }

  private static Set<String> differences(Map<String, String> one, Map<String, String> other) {
    var found = new HashMap<>(one);
    found.entrySet().removeAll(other.entrySet());
    return new HashSet<>(found.keySet());
  }
}
