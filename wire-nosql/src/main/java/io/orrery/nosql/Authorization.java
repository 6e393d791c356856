package io.orrery.nosql;

import io.orrery.http.HttpDate;
import io.orrery.operation.AccountKeys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * The two headers by which a client shows that it has an account key.
 *
 * @param date of {@code x-ms-date}
 * @param token of {@code authorization}
 */
public record Authorization(String date, String token) {

  /** For a request on the account as a whole: its resource type and link are empty. */
  public static Authorization ofAccount(String key, String verb, Instant now) {
    String date = HttpDate.text(now.getEpochSecond());
    var signer = new Signer(new AccountKeys(List.of(key), List.of()));
    signer.payload(verb, "", "", date, "");
    String signature = Base64.getEncoder().encodeToString(signer.signature(0));
    return new Authorization(
        date, URLEncoder.encode("type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8));
  }
}
