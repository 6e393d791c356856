package io.orrery.http;

import io.orrery.operation.AccountKeys;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes signatures of requests with every account key; belongs to one thread, so that the keyed
 * digests and the buffers are made once.
 */
public class KeyedDigests {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SIGNATURE_BYTES = 32;

  private final AccountKeys keys;
  private final List<Mac> digests = new ArrayList<>();
  private final byte[] signature = new byte[SIGNATURE_BYTES];
  private byte[] payload = new byte[512];
  private int payloadBytes;
  private String dateText = "";
  private long dateSeconds = HttpDate.NONE;

  protected KeyedDigests(AccountKeys keys) {
    this.keys = keys;
    keys.readWrite().forEach(key -> digests.add(digest(key)));
    keys.readOnly().forEach(key -> digests.add(digest(key)));
  }

  /** Whether it was made of these keys: after a rotation there are others. */
  // Every set of keys is one object, and this is asked by each request.
  @SuppressWarnings("ReferenceEquality")
  public final boolean holds(AccountKeys now) {
    return keys == now;
  }

  /** Whether the key of that number opens more than reading. */
  public final boolean writes(int key) {
    return key < keys.readWrite().size();
  }

  /**
   * The number of the key whose signature of the payload is the given one, or -1.
   *
   * @param first the key that is tried first
   */
  public final int matching(int first, byte[] given) {
    if (first < digests.size() && matches(first, given)) {
      return first;
    }
    for (int key = 0; key < digests.size(); key++) {
      if (key != first && matches(key, given)) {
        return key;
      }
    }
    return -1;
  }

  private static Mac digest(String key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), ALGORITHM));
      return mac;
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("An account key is unusable", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The platform has no HMAC-SHA256", e);
    }
  }

  /** Begins what is signed anew. */
  protected final void clear() {
    payloadBytes = 0;
  }

  /** Whether the key's signature of the payload is the given one; takes the same time always. */
  private boolean matches(int key, byte[] given) {
    return MessageDigest.isEqual(signature(key), given);
  }

  /** The key's signature of the payload; valid until the next one is made. */
  public final byte[] signature(int key) {
    Mac digest = digests.get(key);
    digest.update(payload, 0, payloadBytes);
    try {
      digest.doFinal(signature, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The signature does not fit its buffer", e);
    }
    return signature;
  }

  /** The seconds since 1970 of an RFC 1123 date; clients repeat it for a second, so it is kept. */
  public final long seconds(String date) {
    if (!date.equals(dateText)) {
      dateSeconds = HttpDate.seconds(date);
      dateText = date;
    }
    return dateSeconds;
  }

  /** Adds a line of what is signed. */
  protected final void line(String text, boolean lowerCase) {
    put(text, lowerCase);
    payload[payloadBytes++] = '\n';
  }

  /** Adds to what is signed. */
  protected final void put(String text, boolean lowerCase) {
    byte[] utf8 = isAscii(text) ? null : JsonText.utf8(text);
    int length = utf8 == null ? text.length() : utf8.length;
    // With room for the end of a line.
    if (payload.length < payloadBytes + length + 1) {
      payload = Arrays.copyOf(payload, Math.max(2 * payload.length, payloadBytes + length + 1));
    }
    for (int i = 0; i < length; i++) {
      int unit = utf8 == null ? text.charAt(i) : utf8[i];
      boolean upper = lowerCase && unit >= 'A' && unit <= 'Z';
      payload[payloadBytes++] = (byte) (upper ? unit + ('a' - 'A') : unit);
    }
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7F) {
        return false;
      }
    }
    return true;
  }
}
