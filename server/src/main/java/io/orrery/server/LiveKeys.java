package io.orrery.server;

import io.orrery.operation.AccountKeys;
import io.orrery.operation.KeyRotation;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The account's keys while the server runs. Keys that the server made can be rotated; a key from
 * the file of settings can, too, once the file has a new one.
 */
final class LiveKeys implements Supplier<AccountKeys>, KeyRotation {
  private final Settings settings;
  private final boolean loopback;

  /** Null when no file keeps them. */
  private final @Nullable Path file;

  private Map<KeyName, String> given;
  private Map<KeyName, String> kept;
  private volatile AccountKeys now;

  LiveKeys(Settings settings, @Nullable DataDirectory directory) {
    this.settings = settings;
    this.loopback = Server.isLoopback(settings.host());
    this.file = directory == null ? null : directory.keys();
    this.given = settings.keys();
    this.kept = file == null ? KeyRing.fresh() : KeyRing.kept(settings, file);
    this.now = complete(given, kept);
  }

  private AccountKeys complete(Map<KeyName, String> configured, Map<KeyName, String> others) {
    return KeyRing.complete(configured, others, loopback, settings.access().wellKnownKey());
  }

  @Override
  public AccountKeys get() {
    return now;
  }

  /** All four of the account. */
  synchronized Map<KeyName, String> all() {
    return KeyRing.all(given, kept);
  }

  @Override
  public synchronized @Nullable String rotate(String name) {
    KeyName key =
        Arrays.stream(KeyName.values())
            .filter(one -> one.label().equals(name))
            .findFirst()
            .orElse(null);
    if (key == null) {
      return unknown(name);
    }
    String refusal = refusal(key);
    if (refusal != null) {
      return refusal;
    }
    Path configured = settings.access().keyFiles().get(key);
    if (configured != null) {
      return takeFrom(configured, key);
    }
    if (file != null) {
      makeIn(file, key);
    }
    return null;
  }

  private void makeIn(Path place, KeyName key) {
    var next = new EnumMap<KeyName, String>(kept);
    next.put(key, KeyRing.freshKey());
    AccountKeys opened = complete(given, next);
    // On disk first: a key that works is one that the next start knows.
    OwnerFile.write(place, KeyRing.text(next));
    kept = next;
    now = opened;
  }

  /** Takes one key only, whatever else has changed there: the others stay valid. */
  private @Nullable String takeFrom(Path place, KeyName key) {
    String named = "The key '" + key.label() + "' is taken from " + place + ": ";
    String found;
    try {
      found = KeyRing.given(SettingsFile.read(place)).get(key);
    } catch (StartRefused e) {
      // Its message may show a part of the file, and so of a key.
      return named + "the file is refused; orrery keys --config " + place + " says why.";
    }
    if (found == null || found.equals(given.get(key))) {
      return named + "write a new one there, then rotate it.";
    }
    if (found.equals(AccountKeys.WELL_KNOWN)) {
      return named + "the one there now is the emulator's, which everybody knows.";
    }
    var next = new EnumMap<KeyName, String>(given);
    next.put(key, found);
    try {
      now = complete(next, kept);
    } catch (StartRefused e) {
      return named + e.getMessage();
    }
    given = next;
    return null;
  }

  private static String unknown(String name) {
    String known =
        Arrays.stream(KeyName.values()).map(KeyName::label).collect(Collectors.joining(", "));
    return "There is no key '" + name + "': there are " + known + " and " + SECRET + ".";
  }

  private @Nullable String refusal(KeyName key) {
    if (settings.engine() == Settings.Engine.HBASE) {
      return "Nodes share no file of keys: stop all of them and give the new key to each, the old"
          + " one as --keys-secondary for one start.";
    }
    if (settings.access().keyFiles().containsKey(key)) {
      return null;
    }
    if (given.containsKey(key)) {
      return "The key '"
          + key.label()
          + "' is configured ("
          + String.join(", ", key.setting().options())
          + " or its variable): change it there and start the server again. One in the file of"
          + " --config can be rotated.";
    }
    return file == null
        ? "A server that keeps nothing made this key for itself and shows it nowhere; give one with"
            + " "
            + key.setting().options().getFirst()
            + "."
        : null;
  }
}
