package io.orrery.nosql;

import io.orrery.http.HttpDate;
import io.orrery.operation.AccountKeys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * The two headers by which a client shows that it has an account key.
 *
 * @param date of {@code x-ms-date}
 * @param token of {@code authorization}
 */
public record Authorization(String date, String token) {
  /** Carries the SHA-256 of the body of a request that manages, in hexadecimal digits. */
  public static final String DIGEST_HEADER = "x-orrery-content-sha256";

  /** For a request on the account as a whole: its resource type and link are empty. */
  public static Authorization ofAccount(String key, String verb, Instant now) {
    return of(key, verb, "", now);
  }

  /**
   * For a request that changes something by the management API: it covers path and body, so that it
   * cannot be used for anything else.
   *
   * @param target path and query
   * @param digest of the body, see {@link #digest}
   */
  public static Authorization ofManagement(
      String key, String verb, String target, String digest, Instant now) {
    return of(key, verb, link(target, digest), now);
  }

  /** What stands in place of a resource's link. */
  static String link(String target, String digest) {
    return (target.startsWith("/") ? target.substring(1) : target) + " " + digest;
  }

  /** The value of {@link #DIGEST_HEADER}. */
  public static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Authorization of(String key, String verb, String link, Instant now) {
    String date = HttpDate.text(now.getEpochSecond());
    var signer = new Signer(new AccountKeys(List.of(key), List.of()));
    signer.payload(verb, "", link, date, "");
    String signature = Base64.getEncoder().encodeToString(signer.signature(0));
    return new Authorization(
        date, URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8));
  }
}
