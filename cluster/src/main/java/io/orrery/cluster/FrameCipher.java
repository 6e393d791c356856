package io.orrery.cluster;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals or opens the frames of one direction of one connection. The nonce is the frame's number, so
 * that a frame opens only once and only at its place; the key is of this direction alone, so no
 * nonce is used twice. Owned by one thread.
 */
final class FrameCipher {
  static final int TAG_BYTES = 16;

  private static final int NONCE_BYTES = 12;

  private final int mode;
  private final SecretKey key;
  private final Cipher cipher;
  private long number;

  private FrameCipher(int mode, SecretKey key) {
    this.mode = mode;
    this.key = key;
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException notThere) {
      throw new IllegalStateException("AES-GCM is part of every JDK", notThere);
    }
  }

  static FrameCipher sealing(SecretKey key) {
    return new FrameCipher(Cipher.ENCRYPT_MODE, key);
  }

  static FrameCipher opening(SecretKey key) {
    return new FrameCipher(Cipher.DECRYPT_MODE, key);
  }

  /**
   * The next frame, sealed or opened.
   *
   * @throws GeneralSecurityException when it is not what the other end sealed at this place
   */
  byte[] next(byte[] frame) throws GeneralSecurityException {
    byte[] nonce =
        ByteBuffer.allocate(NONCE_BYTES).putLong(NONCE_BYTES - Long.BYTES, number).array();
    number++;
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    return cipher.doFinal(frame);
  }
}
