package io.orrery.server;

import io.orrery.operation.KeyRotation;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;

/** The command {@code keys rotate}: lets a running server make a new key, or take one. */
final class RotateKey {
  private RotateKey() {}

  static void run(Settings settings, String name, PrintWriter out) {
    String key = key(settings, name);
    try (var client = new ManagementClient(settings.host(), settings.port(), key)) {
      client.post("keys/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/rotate");
    }
    out.println(
        name.equals(KeyRotation.SECRET)
            ? "Rotated the secret; tokens and continuations of before end with the next rotation."
            : "Rotated the key " + name + "; orrery keys shows the new one.");
    out.flush();
  }

  /** A key that the server knows, which a new primary key in the file is not yet. */
  private static String key(Settings settings, String name) {
    boolean ownData = Files.exists(DataDirectory.keys(settings.data()));
    if (!name.equals(KeyName.PRIMARY.label())
        || !settings.access().keyFiles().containsKey(KeyName.PRIMARY)) {
      return Status.key(settings, ownData);
    }
    Map<KeyName, String> kept =
        ownData ? KeyRing.keptIn(DataDirectory.keys(settings.data())) : Map.of();
    String secondary = KeyRing.all(settings.keys(), kept).get(KeyName.SECONDARY);
    if (secondary == null) {
      throw new StartRefused(
          "give the primary key that the server has now with --key, or its data directory with"
              + " --data");
    }
    return secondary;
  }
}
