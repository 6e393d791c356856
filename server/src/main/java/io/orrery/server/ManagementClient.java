package io.orrery.server;

import io.orrery.nosql.Authorization;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Asks a running server over plain HTTP, which it speaks unless it was started without. */
final class ManagementClient implements AutoCloseable {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
  private static final String NO_ORRERY = " is no Orrery server, or one without management";
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_MAX)
          .build();
  private final String host;
  private final int port;
  private final String key;

  ManagementClient(String host, int port, String key) {
    this.host = host.contains(":") ? "[" + host + "]" : host;
    this.port = port;
    this.key = key;
  }

  /**
   * The JSON at a path below {@code /_orrery/}; nothing when there is none.
   *
   * @throws StartRefused when the server cannot be asked, with the reason
   */
  Optional<Found> find(String path) {
    return found(send("GET", path));
  }

  /** Lets the server change something, without saying more than the path. */
  void post(String path) {
    if (found(send("POST", path)).isEmpty()) {
      throw new StartRefused("what answers at " + where() + NO_ORRERY);
    }
  }

  private Optional<Found> found(HttpResponse<byte[]> answer) {
    return switch (answer.statusCode()) {
      case 200 -> Optional.of(json(answer.body()));
      case 404 -> Optional.empty();
      case 401 ->
          throw new StartRefused(
              "the server at "
                  + where()
                  + " does not know this key; give its own with --key, or its data directory with"
                  + " --data");
      default ->
          throw new StartRefused(
              "the server at "
                  + where()
                  + " answered "
                  + answer.statusCode()
                  + ": "
                  + new String(answer.body(), StandardCharsets.UTF_8));
    };
  }

  /** What every server has. */
  Found read(String path) {
    return find(path).orElseThrow(() -> new StartRefused("what answers at " + where() + NO_ORRERY));
  }

  private HttpResponse<byte[]> send(String verb, String path) {
    String target = "/_orrery/" + path;
    String digest = Authorization.digest(new byte[0]);
    Instant now = Instant.now();
    var signed =
        verb.equals("GET")
            ? Authorization.ofAccount(key, verb, now)
            : Authorization.ofManagement(key, verb, target, digest, now);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + where() + target))
            .method(verb, HttpRequest.BodyPublishers.noBody())
            .timeout(ANSWER_MAX)
            .header(Authorization.DIGEST_HEADER, digest)
            .header("x-ms-date", signed.date())
            .header("authorization", signed.token())
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new StartRefused(
          "no server answers at " + where() + "; name it with --host and --port", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartRefused("interrupted", e);
    }
  }

  private String where() {
    return host + ":" + port;
  }

  private Found json(byte[] body) {
    try {
      return new Found(Json.parse(body));
    } catch (MalformedBody e) {
      throw new StartRefused("what answers at " + where() + NO_ORRERY, e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
