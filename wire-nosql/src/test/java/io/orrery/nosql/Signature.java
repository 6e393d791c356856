package io.orrery.nosql;

import io.orrery.operation.AccountKeys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests as clients do, on its own. */
record Signature(String key, String date) {

  static Signature now() {
    return now(AccountKeys.WELL_KNOWN);
  }

  static Signature now(String key) {
    return new Signature(
        key, DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
  }

  /** The authorization of a request to a path of plain names. */
  String of(String verb, String path) {
    List<String> segments = path.isEmpty() ? List.of() : List.of(path.split("/"));
    int count = segments.size();
    if (count == 0) {
      return of(verb, "", "");
    }
    return count % 2 == 0
        ? of(verb, segments.get(count - 2), path)
        : of(verb, segments.get(count - 1), String.join("/", segments.subList(0, count - 1)));
  }

  String of(String verb, String type, String link) {
    String payload = verb.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n";
    payload += date.toLowerCase(Locale.ROOT) + "\n\n";
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      String signature =
          Base64.getEncoder().encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
      return URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An authorization with the date that it covers. */
  record Signed(String authorization, String date) {}

  Signed signed(String verb, String path) {
    return new Signed(of(verb, path), date);
  }

  Signed signed(String verb, String type, String link) {
    return new Signed(of(verb, type, link), date);
  }

  /** The lines of a raw request that carry it. */
  String lines(String verb, String path) {
    return "authorization: " + of(verb, path) + "\r\nx-ms-date: " + date + "\r\n";
  }
}
