package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyRingTest {
  private static final String OWN = Base64.getEncoder().encodeToString(new byte[64]);

  @TempDir Path folder;

  private static AccountKeys complete(
      Map<KeyName, String> given, Map<KeyName, String> kept, boolean loopback) {
    return KeyRing.complete(given, kept, loopback, Settings.WellKnownKey.AUTO);
  }

  @Test
  void missingKeysAreMadeOnceForTheOwnersEyes() throws IOException {
    Path file = folder.resolve("keys.yaml");
    Map<KeyName, String> made = KeyRing.keptIn(file);
    assertEquals(made, KeyRing.keptIn(file));
    assertEquals(4, new HashSet<>(made.values()).size());
    made.values().forEach(key -> assertEquals(64, Base64.getDecoder().decode(key).length));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void damagedFileIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("keys.yaml"), "primary: " + OWN + "\n");
    var refused = assertThrows(StartRefused.class, () -> KeyRing.keptIn(file));
    assertTrue(String.valueOf(refused.getMessage()).contains("'secondary'"));
  }

  @Test
  void givenKeyStandsBeforeTheKeptOne() {
    Map<KeyName, String> kept = KeyRing.fresh();
    AccountKeys keys = complete(Map.of(KeyName.PRIMARY, OWN), kept, false);
    assertEquals(List.of(OWN, kept.get(KeyName.SECONDARY)), keys.readWrite());
    assertEquals(
        List.of(kept.get(KeyName.PRIMARY_READONLY), kept.get(KeyName.SECONDARY_READONLY)),
        keys.readOnly());
  }

  @Test
  void wellKnownKeyWorksOnLoopbackOnly() {
    AccountKeys near = complete(Map.of(), KeyRing.fresh(), true);
    assertTrue(near.readWrite().contains(AccountKeys.WELL_KNOWN));
    AccountKeys far = complete(Map.of(KeyName.PRIMARY, OWN), KeyRing.fresh(), false);
    assertFalse(far.readWrite().contains(AccountKeys.WELL_KNOWN));
  }

  @Test
  void wellKnownKeyWorksOnlyWhileNoKeyIsConfigured() {
    for (KeyName name : KeyName.values()) {
      AccountKeys keys = complete(Map.of(name, OWN), KeyRing.fresh(), true);
      assertFalse(keys.readWrite().contains(AccountKeys.WELL_KNOWN), name.label());
    }
  }

  @Test
  void wellKnownKeyWorksEverywhereOrNowhereIfSaid() {
    AccountKeys everywhere =
        KeyRing.complete(Map.of(), KeyRing.fresh(), false, Settings.WellKnownKey.EVERYWHERE);
    assertTrue(everywhere.readWrite().contains(AccountKeys.WELL_KNOWN));
    AccountKeys off = KeyRing.complete(Map.of(), KeyRing.fresh(), true, Settings.WellKnownKey.OFF);
    assertFalse(off.readWrite().contains(AccountKeys.WELL_KNOWN));
    Map<KeyName, String> given = Map.of(KeyName.PRIMARY, AccountKeys.WELL_KNOWN);
    assertThrows(
        StartRefused.class,
        () -> KeyRing.complete(given, KeyRing.fresh(), true, Settings.WellKnownKey.OFF));
  }

  @Test
  void otherAddressesNeedAKeyOfTheUser() {
    refused(Map.of(), "--key");
    refused(Map.of(KeyName.SECONDARY, OWN), "--key");
    refused(Map.of(KeyName.PRIMARY, AccountKeys.WELL_KNOWN), "everybody knows");
    refused(Map.of(KeyName.PRIMARY, OWN, KeyName.SECONDARY, AccountKeys.WELL_KNOWN), "everybody");
  }

  @Test
  void oneKeyForTwoRightsIsRefused() {
    Map<KeyName, String> twice = Map.of(KeyName.PRIMARY, OWN, KeyName.PRIMARY_READONLY, OWN);
    assertThrows(StartRefused.class, () -> complete(twice, KeyRing.fresh(), true));
    Map<KeyName, String> open = Map.of(KeyName.PRIMARY_READONLY, AccountKeys.WELL_KNOWN);
    assertThrows(
        StartRefused.class,
        () -> KeyRing.complete(open, KeyRing.fresh(), true, Settings.WellKnownKey.EVERYWHERE));
  }

  @Test
  void keysThatAreNotGivenFollowFromThePrimaryOneWhereNodesShareAStorage() {
    var options = new EnumMap<Setting, String>(Setting.class);
    options.put(Setting.PRIMARY_KEY, OWN);
    options.put(Setting.ENGINE, "hbase");
    options.put(Setting.HBASE_ZOOKEEPER, "localhost:2181");
    Path file = folder.resolve("keys.yaml");
    Map<KeyName, String> kept = KeyRing.kept(Settings.read(options, Map.of()), file);
    assertFalse(Files.exists(file));
    assertEquals(kept, KeyRing.kept(Settings.read(options, Map.of()), file));
    assertEquals(4, new HashSet<>(kept.values()).size());
    kept.values().forEach(key -> assertEquals(64, Base64.getDecoder().decode(key).length));
    options.put(Setting.PRIMARY_KEY, AccountKeys.WELL_KNOWN);
    assertTrue(
        Collections.disjoint(
            kept.values(), KeyRing.kept(Settings.read(options, Map.of()), file).values()));
    options.remove(Setting.PRIMARY_KEY);
    assertEquals(KeyRing.keptIn(file), KeyRing.kept(Settings.read(options, Map.of()), file));
    options.put(Setting.PRIMARY_KEY, OWN);
    options.remove(Setting.ENGINE);
    assertEquals(KeyRing.keptIn(file), KeyRing.kept(Settings.read(options, Map.of()), file));
  }

  private static void refused(Map<KeyName, String> given, String reason) {
    var refused = assertThrows(StartRefused.class, () -> complete(given, KeyRing.fresh(), false));
    assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused.getMessage());
  }

  @Test
  void marksTellKeysApartWithoutThem() {
    var first = new AccountKeys(List.of("one", AccountKeys.WELL_KNOWN), List.of("two"));
    assertEquals(Set.of("7692c3ad3540bb80"), KeyRing.marks(first));
  }
}
