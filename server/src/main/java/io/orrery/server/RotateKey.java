package io.orrery.server;

import io.orrery.operation.KeyRotation;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The command {@code keys rotate}: lets a running server make a new key. */
final class RotateKey {
  private RotateKey() {}

  static void run(Settings settings, String name, PrintWriter out) {
    boolean ownData = Files.exists(DataDirectory.keys(settings.data()));
    String key = Status.key(settings, ownData);
    try (var client = new ManagementClient(settings.host(), settings.port(), key)) {
      client.post("keys/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/rotate");
    }
    out.println(
        name.equals(KeyRotation.SECRET)
            ? "Rotated the secret; tokens and continuations of before end with the next rotation."
            : "Rotated the key " + name + "; orrery keys --data DIR shows the new one.");
    out.flush();
  }
}
