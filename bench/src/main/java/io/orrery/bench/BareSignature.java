package io.orrery.bench;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;

/** Checks signatures of requests; belongs to one thread. */
final class BareSignature {
  private static final String SIGNATURE = "sig=";
  private static final int SIGNATURE_BYTES = 32;

  private final Mac mac = Account.mac();
  private final byte[] wanted = new byte[SIGNATURE_BYTES];

  boolean signs(String verb, String link, String date, String authorization) {
    String token = decode(authorization);
    byte[] given =
        Base64.getDecoder().decode(token.substring(token.indexOf(SIGNATURE) + SIGNATURE.length()));
    mac.update((verb + "\ndocs\n").getBytes(StandardCharsets.ISO_8859_1));
    mac.update(link.getBytes(StandardCharsets.ISO_8859_1));
    mac.update(
        ("\n" + date.toLowerCase(Locale.ROOT) + "\n\n").getBytes(StandardCharsets.ISO_8859_1));
    try {
      mac.doFinal(wanted, 0);
    } catch (GeneralSecurityException e) {
      throw new BenchFault("A signature does not fit its buffer", e);
    }
    return MessageDigest.isEqual(wanted, given);
  }

  private static String decode(String text) {
    var decoded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        decoded.append(
            (char)
                (Character.digit(text.charAt(i + 1), 16) * 16
                    + Character.digit(text.charAt(i + 2), 16)));
        i += 2;
      } else {
        decoded.append(c);
      }
    }
    return decoded.toString();
  }
}
