package io.orrery.compat;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a request is signed over.
 *
 * @param type the kind of resource
 * @param link the resource, or the owner of the feed
 */
record Signature(String type, String link) {
  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /** Over names, as they stand in a path without their encoding. */
  static Signature of(String path) {
    String plain = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8).substring(1);
    if (plain.isEmpty()) {
      return new Signature("", "");
    }
    if (plain.endsWith("/operations/partitionkeydelete")) {
      return new Signature("colls", plain.substring(0, plain.indexOf("/operations/")));
    }
    List<String> segments = List.of(plain.split("/", -1));
    boolean feed = segments.size() % 2 == 1;
    String type = segments.get(segments.size() - (feed ? 1 : 2));
    int slash = plain.lastIndexOf('/');
    return new Signature(type, feed ? plain.substring(0, Math.max(slash, 0)) : plain);
  }

  /** Over rids: only the last one counts, in lower case. */
  Signature byRid() {
    return new Signature(type, link.substring(link.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT));
  }

  /** Of a body that a request to the management API signs. */
  static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no SHA-256", e);
    }
  }

  static String date(Instant time) {
    return RFC_1123.format(time);
  }

  String payload(String method, String date) {
    return String.join("\n", lower(method), type, link, lower(date), "", "");
  }

  /** The authorization header. */
  String token(String method, String date, String key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      byte[] sum = mac.doFinal(payload(method, date).getBytes(StandardCharsets.UTF_8));
      String token = "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(sum);
      return URLEncoder.encode(token, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no HMAC", e);
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
