package io.orrery.routing.catalog;

import io.orrery.operation.Bytes;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/**
 * What signs the tokens that clients carry: the secret in use, and after a rotation the one before
 * it, whose tokens stay valid until the next rotation.
 *
 * @param all the one in use first
 */
public record Secrets(List<Bytes> all) {
  static final Secrets NONE = new Secrets(List.of());
  private static final int BYTES = 32;

  public Secrets {
    all = List.copyOf(all);
  }

  static Secrets fresh() {
    return new Secrets(List.of(random()));
  }

  Secrets rotated() {
    return new Secrets(List.of(random(), all.getFirst()));
  }

  /** The secret in use. */
  public Bytes current() {
    return all.getFirst();
  }

  private static Bytes random() {
    var secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return Bytes.of(secret);
  }

  /** One after the other, all of one length. */
  byte[] encoded() {
    var bytes = new byte[all.size() * BYTES];
    for (int i = 0; i < all.size(); i++) {
      System.arraycopy(all.get(i).array(), 0, bytes, i * BYTES, BYTES);
    }
    return bytes;
  }

  static Secrets decoded(byte[] bytes) {
    Bytes first = Bytes.of(Arrays.copyOf(bytes, Math.min(BYTES, bytes.length)));
    return bytes.length <= BYTES
        ? new Secrets(List.of(first))
        : new Secrets(List.of(first, Bytes.of(Arrays.copyOfRange(bytes, BYTES, 2 * BYTES))));
  }
}
