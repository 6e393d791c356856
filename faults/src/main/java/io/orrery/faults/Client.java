package io.orrery.faults;

import io.orrery.operation.AccountKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends signed requests over the wire, as a client without an SDK would. */
final class Client implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String MANAGEMENT = "_orrery/";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;
  private final String key;

  Client(int port) {
    this(port, AccountKeys.WELL_KNOWN);
  }

  Client(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /** What the server answered. */
  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    /** Empty when there is none. */
    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    boolean isDone() {
      return status() < 300;
    }
  }

  /**
   * Sends one request.
   *
   * @param path of a resource or of a feed, by names; its kind follows from its segments
   */
  Answer send(String verb, String path, String body, String... headers) throws IOException {
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
            .timeout(PATIENCE)
            .method(verb, HttpRequest.BodyPublishers.ofString(body))
            .header("x-ms-date", date)
            .header("x-ms-version", "2020-07-15");
    if (headers.length > 0) {
      request.headers(headers);
    }
    String signed;
    if (path.startsWith(MANAGEMENT)) {
      String digest = verb.equals("GET") ? "" : digest(body);
      if (!digest.isEmpty()) {
        request.header("x-orrery-content-sha256", digest);
      }
      signed = "\n" + (digest.isEmpty() ? "" : path + " " + digest);
    } else {
      signed = typeAndLink(path);
    }
    request.header(
        "authorization", token(verb.toLowerCase(Locale.ROOT) + "\n" + signed + "\n", date));
    try {
      return new Answer(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String typeAndLink(String path) {
    if (path.isEmpty()) {
      return "\n";
    }
    List<String> segments = List.of(path.split("/", -1));
    boolean feed = segments.size() % 2 == 1;
    String type = segments.get(segments.size() - (feed ? 1 : 2));
    int slash = Math.max(0, path.lastIndexOf('/'));
    return type + "\n" + (feed ? path.substring(0, slash) : path);
  }

  private static String digest(String body) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String token(String begin, String date) {
    String payload = begin + date.toLowerCase(Locale.ROOT) + "\n\n";
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      byte[] signature = mac.doFinal(payload.getBytes(StandardCharsets.UTF_8));
      return URLEncoder.encode(
          "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(signature),
          StandardCharsets.UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
