package io.orrery.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/** What the nodes of an account know and nobody else, and what is made of it. */
final class Secret {
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;

  private static final int KEY_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The ends of a connection. */
  enum Role {
    CALLER,
    ANSWERER
  }

  private final byte[] bytes;
  private final SecretKey proofKey;

  Secret(byte[] bytes) {
    this.bytes = bytes.clone();
    // The account uses the secret elsewhere too: proofs have a key that nothing else has.
    this.proofKey = derive("HmacSHA256", new byte[0], "orrery nodes proof");
  }

  static byte[] nonce() {
    var nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /** Shows who knows the nonces of both ends that it knows the secret as well. */
  byte[] proof(Role role, byte[] nonces) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(proofKey);
      mac.update(label(role, "proof"));
      return mac.doFinal(nonces);
    } catch (GeneralSecurityException notThere) {
      throw missing(notThere);
    }
  }

  /** The key of what this end sends. */
  SecretKey key(Role role, byte[] nonces) {
    return derive("AES", nonces, new String(label(role, "frames"), StandardCharsets.US_ASCII));
  }

  private static byte[] label(Role role, String use) {
    return ("orrery nodes " + Greeting.VERSION + ' ' + role + ' ' + use)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private SecretKey derive(String algorithm, byte[] salt, String use) {
    try {
      var parameters =
          HKDFParameterSpec.ofExtract()
              .addIKM(bytes)
              .addSalt(salt)
              .thenExpand(use.getBytes(StandardCharsets.US_ASCII), KEY_BYTES);
      return KDF.getInstance("HKDF-SHA256").deriveKey(algorithm, parameters);
    } catch (GeneralSecurityException notThere) {
      throw missing(notThere);
    }
  }

  private static IllegalStateException missing(GeneralSecurityException cause) {
    return new IllegalStateException("HMAC and HKDF are part of every JDK", cause);
  }
}
