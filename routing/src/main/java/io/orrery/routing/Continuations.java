package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.routing.catalog.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Positions that clients carry for us. A token is base64url of a 16-byte signature and the
 * position; the signature also covers what the position belongs to, so that a token is good for one
 * feed only.
 */
final class Continuations {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SIGNATURE_BYTES = 16;

  /** No token that was given is as long; a longer one is not even decoded. */
  private static final int LENGTH_MAX = 16 << 10;

  private final SigningKeys keys;

  Continuations(Supplier<Secrets> secrets) {
    keys = new SigningKeys(secrets, secret -> new SecretKeySpec(secret, ALGORITHM));
  }

  /** The token of a position in the feed. */
  String seal(String feed, String position) {
    byte[] bytes = position.getBytes(StandardCharsets.UTF_8);
    byte[] signature = sign(keys.current(), feed, bytes);
    byte[] token = Arrays.copyOf(signature, SIGNATURE_BYTES + bytes.length);
    System.arraycopy(bytes, 0, token, SIGNATURE_BYTES, bytes.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * The position of a token.
   *
   * @throws Refused when we did not make it, or for another feed
   */
  String open(String feed, String token) {
    String position = find(feed, token);
    if (position == null) {
      throw invalid();
    }
    return position;
  }

  /** The position of a token; null when we did not make it, or for another feed. */
  @Nullable String find(String feed, String token) {
    byte[] bytes;
    try {
      bytes = token.length() > LENGTH_MAX ? new byte[0] : Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (bytes.length < SIGNATURE_BYTES) {
      return null;
    }
    byte[] position = Arrays.copyOfRange(bytes, SIGNATURE_BYTES, bytes.length);
    byte[] signature = Arrays.copyOf(bytes, SIGNATURE_BYTES);
    for (SecretKeySpec key : keys.all()) {
      if (MessageDigest.isEqual(signature, sign(key, feed, position))) {
        return new String(position, StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  /** What is answered to a token that is not one. */
  static Refused invalid() {
    return new Refused(
        new Refusal.BadRequest(
            "The continuation is not one that this feed gave; start from the beginning"));
  }

  private static byte[] sign(SecretKeySpec key, String feed, byte[] position) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(feed.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return Arrays.copyOf(mac.doFinal(position), SIGNATURE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
    }
  }
}
