package io.orrery.fuzz;

import io.orrery.operation.Admission;
import io.orrery.routing.FuzzedRouting;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens tokens that clients carry. The first line is what a continuation belongs to, the second the
 * position in it, the third changes the token: it stays what it was, or is refused.
 */
final class TokenTarget implements Target {

  @Override
  public void run(byte[] input) {
    String text = Utf8.latin1(input);
    Finding.unless(
        !(FuzzedRouting.openResourceToken(text) instanceof Admission.Granted),
        "A resource token that was not made");
    Finding.unless(
        !(FuzzedRouting.openResourceToken("type=resource&ver=1&sig=" + text)
            instanceof Admission.Granted),
        "A resource token that was not made");
    List<String> lines = List.of(text.split("\n", 3));
    Finding.unlessEqual(null, FuzzedRouting.find("feed", text), "a continuation that was not made");
    if (lines.size() == 3) {
      continuation(lines.get(0).replace("\0", ""), lines.get(1), lines.get(2));
    }
  }

  private static void continuation(String feed, String position, String change) {
    String token = FuzzedRouting.seal(feed, position);
    String found = FuzzedRouting.find(feed, token);
    boolean tooLong = token.length() > 16 << 10;
    Finding.unlessEqual(tooLong ? null : position, found, "sealed and opened");
    Finding.unlessEqual(null, FuzzedRouting.find(feed + "x", token), "opened for another feed");
    byte[] changed = token.getBytes(StandardCharsets.ISO_8859_1);
    byte[] by = change.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < by.length && i < changed.length; i++) {
      changed[i] ^= by[i];
    }
    String other = FuzzedRouting.find(feed, new String(changed, StandardCharsets.ISO_8859_1));
    Finding.unless(other == null || other.equals(position), "changed, it opens as " + other);
    queryToken(position);
  }

  /** A position that can be read is written so that it is read as the same. */
  private static void queryToken(String position) {
    String read = readable(position);
    if (read != null) {
      Finding.unlessEqual(read, FuzzedRouting.queryToken(read), "a position written twice");
    }
  }

  /** Only positions that were signed are read, so others may fail in any way. */
  private static @Nullable String readable(String position) {
    try {
      return FuzzedRouting.queryToken(position);
    } catch (RuntimeException notOne) {
      return null;
    }
  }
}
