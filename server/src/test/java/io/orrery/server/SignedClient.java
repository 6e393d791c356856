package io.orrery.server;

import io.orrery.nosql.Authorization;
import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

/** Sends signed requests as a client without an SDK would. */
final class SignedClient {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String endpoint;

  SignedClient(String endpoint) {
    this.endpoint = endpoint;
  }

  /** What is asked of which resource; the link is signed, the path is asked. */
  record Target(String verb, String type, String link, String path) {
    static Target feed(String verb, String type, String owner) {
      return new Target(verb, type, owner, owner.isEmpty() ? type : owner + "/" + type);
    }

    static Target one(String verb, String type, String link) {
      return new Target(verb, type, link, link);
    }
  }

  HttpResponse<String> send(Target asked, String body, String... headers) throws IOException {
    String date = now();
    String digest = Authorization.digest(body.getBytes(StandardCharsets.UTF_8));
    boolean manages = asked.path().startsWith("_orrery/") && !asked.verb().equals("GET");
    Target target =
        manages ? new Target(asked.verb(), "", asked.path() + " " + digest, asked.path()) : asked;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint + "/" + target.path()))
            .method(target.verb(), HttpRequest.BodyPublishers.ofString(body))
            .header("x-ms-date", date)
            .header("x-ms-version", "2020-07-15")
            .header("authorization", token(target, date));
    if (manages) {
      request.header(Authorization.DIGEST_HEADER, digest);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Request line and headers up to those of the body, for clients that write it themselves. */
  byte[] head(Target target) {
    String date = now();
    var lines =
        List.of(
            target.verb() + " /" + target.path() + " HTTP/1.1",
            "host: localhost",
            "x-ms-date: " + date,
            "x-ms-version: 2020-07-15",
            "authorization: " + token(target, date),
            "");
    return String.join("\r\n", lines).getBytes(StandardCharsets.US_ASCII);
  }

  private static String now() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  private static String token(Target target, String date) {
    String payload =
        target.verb().toLowerCase(Locale.ROOT)
            + ("\n" + target.type() + "\n" + target.link() + "\n")
            + (date.toLowerCase(Locale.ROOT) + "\n\n");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(AccountKeys.WELL_KNOWN);
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] signature = mac.doFinal(payload.getBytes(StandardCharsets.UTF_8));
      return URLEncoder.encode(
          "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(signature),
          StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
