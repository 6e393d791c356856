package io.orrery.server;

import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Where the account's keys come from: the settings, or made once and kept. */
final class KeyRing {
  private static final int KEY_BYTES = 64;
  private static final int KEY_BYTES_LEAST = 16;
  private static final String DIGEST = "HmacSHA512";
  private static final int MARK_BYTES = 8;

  private KeyRing() {}

  /**
   * All keys of the account: those given, else those kept, and the emulator's where it works.
   *
   * @param loopback whether only this machine can reach the server
   */
  static AccountKeys complete(
      Map<KeyName, String> given,
      Map<KeyName, String> kept,
      boolean loopback,
      Settings.WellKnownKey wellKnown) {
    check(given, loopback, wellKnown);
    Map<KeyName, String> all = all(given, kept);
    boolean works =
        switch (wellKnown) {
          // Behind a proxy or a tunnel every client comes from loopback: a key that was given is
          // meant to be needed.
          case AUTO -> loopback && given.isEmpty();
          case EVERYWHERE -> true;
          case OFF -> false;
        };
    var keys = new AccountKeys(opening(all, true, works), opening(all, false, false));
    if (!Collections.disjoint(keys.readWrite(), keys.readOnly())) {
      throw new StartRefused("keys: one key both writes and only reads; give different ones");
    }
    return keys;
  }

  private static void check(
      Map<KeyName, String> given, boolean loopback, Settings.WellKnownKey wellKnown) {
    if (wellKnown == Settings.WellKnownKey.EVERYWHERE) {
      return;
    }
    if (!loopback && !given.containsKey(KeyName.PRIMARY)) {
      throw new StartRefused(
          "host: others can reach this address, so give a key of your own with --key, ORRERY_KEY"
              + " or keys.primary (one is made by: openssl rand -base64 64 | tr -d '\\n'), or open"
              + " a server without data that matter with --well-known-key everywhere");
    }
    if (!loopback && given.containsValue(AccountKeys.WELL_KNOWN)) {
      throw new StartRefused(
          "keys: others can reach this address, and everybody knows the emulator's key; give a key"
              + " of your own");
    }
    if (wellKnown == Settings.WellKnownKey.OFF && given.containsValue(AccountKeys.WELL_KNOWN)) {
      throw new StartRefused(
          "keys: the emulator's key is given as a key of the account, and --well-known-key is off;"
              + " give a key of your own");
    }
  }

  /** The four keys: those that are given, and what stands in for the others. */
  static Map<KeyName, String> all(Map<KeyName, String> given, Map<KeyName, String> kept) {
    var all = new EnumMap<KeyName, String>(kept);
    all.putAll(given);
    return all;
  }

  private static List<String> opening(
      Map<KeyName, String> keys, boolean writes, boolean wellKnown) {
    var named =
        Arrays.stream(KeyName.values()).filter(name -> name.writes() == writes).map(keys::get);
    return Stream.concat(named, wellKnown ? Stream.of(AccountKeys.WELL_KNOWN) : Stream.empty())
        .distinct()
        .toList();
  }

  /** By which the keys that may write are known where they must not stand themselves. */
  static Set<String> marks(AccountKeys keys) {
    return keys.readWrite().stream()
        .filter(key -> !key.equals(AccountKeys.WELL_KNOWN))
        .map(KeyRing::mark)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String mark(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, MARK_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The keys that the settings name, checked. */
  static Map<KeyName, String> given(Map<Setting, Given> settings) {
    var keys = new EnumMap<KeyName, String>(KeyName.class);
    for (KeyName name : KeyName.values()) {
      Given given = settings.get(name.setting());
      if (given != null) {
        if (!isKey(given.value())) {
          throw given.refused("at least " + KEY_BYTES_LEAST + " bytes in base64, best 64");
        }
        keys.put(name, given.value());
      }
    }
    return keys;
  }

  /** The file of {@code --config} for each key that comes from there. */
  static Map<KeyName, Path> files(Map<Setting, Given> settings) {
    Given config = settings.get(Setting.CONFIG);
    var files = new EnumMap<KeyName, Path>(KeyName.class);
    for (KeyName name : KeyName.values()) {
      Given given = settings.get(name.setting());
      if (config != null && given != null && given.isIn(Path.of(config.value()))) {
        files.put(name, Path.of(config.value()));
      }
    }
    return files;
  }

  /** Four new keys. */
  static Map<KeyName, String> fresh() {
    var keys = new EnumMap<KeyName, String>(KeyName.class);
    for (KeyName name : KeyName.values()) {
      keys.put(name, freshKey());
    }
    return keys;
  }

  static String freshKey() {
    byte[] bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * The keys that stand in for those that are not given. Nodes that share a storage share no file:
   * there the others follow from the primary one, once that is given.
   */
  static Map<KeyName, String> kept(Settings settings, Path file) {
    String primary = settings.keys().get(KeyName.PRIMARY);
    return primary != null && followPrimary(settings) ? following(primary) : keptIn(file);
  }

  static boolean followPrimary(Settings settings) {
    return settings.engine() == Settings.Engine.HBASE
        && settings.keys().containsKey(KeyName.PRIMARY);
  }

  private static Map<KeyName, String> following(String primary) {
    var keys = new EnumMap<KeyName, String>(KeyName.class);
    for (KeyName name : KeyName.values()) {
      byte[] bytes = digest(primary, "key " + name.label());
      keys.put(name, Base64.getEncoder().encodeToString(bytes));
    }
    return keys;
  }

  /** What only those can make of the text who have the key, and what tells nothing about it. */
  static byte[] digest(String key, String text) {
    try {
      Mac mac = Mac.getInstance(DIGEST);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), DIGEST));
      return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The keys in the file, which is written at the first call. */
  static Map<KeyName, String> keptIn(Path file) {
    if (!Files.exists(file)) {
      OwnerFile.write(file, text(fresh()));
    }
    try {
      var keys = new EnumMap<KeyName, String>(KeyName.class);
      List<String> lines = Files.readAllLines(file);
      for (KeyName name : KeyName.values()) {
        keys.put(name, valueIn(lines, name, file));
      }
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line per key, as people copy them. */
  static String text(Map<KeyName, String> keys) {
    return keys.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey().label() + ": " + entry.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static String valueIn(Collection<String> lines, KeyName name, Path file) {
    String start = name.label() + ": ";
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .filter(KeyRing::isKey)
        .findFirst()
        .orElseThrow(
            () ->
                new StartRefused(file + ": the key '" + name.label() + "' is missing or damaged"));
  }

  private static boolean isKey(String value) {
    try {
      return Base64.getDecoder().decode(value).length >= KEY_BYTES_LEAST;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
