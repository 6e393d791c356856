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

/** The account's keys while the server runs: those that it made itself can be rotated. */
final class LiveKeys implements Supplier<AccountKeys>, KeyRotation {
  private final Settings settings;
  private final boolean loopback;

  /** Null when no file keeps them. */
  private final @Nullable Path file;

  private Map<KeyName, String> kept;
  private volatile AccountKeys now;

  LiveKeys(Settings settings, @Nullable DataDirectory directory) {
    this.settings = settings;
    this.loopback = Server.isLoopback(settings.host());
    this.file = directory == null ? null : directory.keys();
    this.kept = file == null ? KeyRing.fresh() : KeyRing.kept(settings, file);
    this.now = complete(kept);
  }

  private AccountKeys complete(Map<KeyName, String> keys) {
    return KeyRing.complete(settings.keys(), keys, loopback, settings.access().wellKnownKey());
  }

  @Override
  public AccountKeys get() {
    return now;
  }

  /** All four of the account. */
  synchronized Map<KeyName, String> all() {
    return KeyRing.all(settings.keys(), kept);
  }

  @Override
  public synchronized @Nullable String rotate(String name) {
    KeyName key =
        Arrays.stream(KeyName.values())
            .filter(one -> one.label().equals(name))
            .findFirst()
            .orElse(null);
    String refusal = key == null ? unknown(name) : refusal(key);
    if (refusal != null || key == null || file == null) {
      return refusal;
    }
    var next = new EnumMap<KeyName, String>(kept);
    next.put(key, KeyRing.freshKey());
    AccountKeys opened = complete(next);
    // On disk first: a key that works is one that the next start knows.
    OwnerFile.write(file, KeyRing.text(next));
    kept = next;
    now = opened;
    return null;
  }

  private static String unknown(String name) {
    String known =
        Arrays.stream(KeyName.values()).map(KeyName::label).collect(Collectors.joining(", "));
    return "There is no key '" + name + "': there are " + known + " and " + SECRET + ".";
  }

  private @Nullable String refusal(KeyName key) {
    if (settings.keys().containsKey(key)) {
      String options = String.join(", ", key.setting().options());
      return "The key '"
          + key.label()
          + "' is configured ("
          + options
          + " or its variable or key in the file): change it there and start the server again.";
    }
    if (settings.engine() == Settings.Engine.HBASE) {
      return "Nodes share no file of keys: stop all of them and give the new key to each, the old"
          + " one as --keys-secondary for one start.";
    }
    return file == null
        ? "A server that keeps nothing made this key for itself and shows it nowhere; give one with"
            + " "
            + key.setting().options().getFirst()
            + "."
        : null;
  }
}
