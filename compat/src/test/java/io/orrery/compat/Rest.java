package io.orrery.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Requests made by hand, with a signer of our own. */
final class Rest {
  private static final Duration PATIENCE = Duration.ofSeconds(30L * ServerStorage.TIMES_SLOWER);

  private static final AtomicInteger TURNS = new AtomicInteger();

  private final URI endpoint;
  private final List<HttpClient> clients;
  private final String accountKey;

  private Rest(URI endpoint, List<HttpClient> clients, String accountKey) {
    this.endpoint = endpoint;
    this.clients = clients;
    this.accountKey = accountKey;
  }

  private static final class Shared {
    static final List<HttpClient> PLAIN = clients(HttpClient.newBuilder());
  }

  private static final class SharedTls {
    static final List<HttpClient> TLS = clients(HttpClient.newBuilder().sslContext(Trust.CONTEXT));
  }

  /** A client stays with its connections: only another one may reach another node. */
  private static List<HttpClient> clients(HttpClient.Builder builder) {
    builder.version(HttpClient.Version.HTTP_1_1);
    return Stream.generate(builder::build).limit(ServerStorage.nodesMost()).toList();
  }

  private HttpClient client() {
    return clients.get(Math.floorMod(TURNS.getAndIncrement(), clients.size()));
  }

  /** To the shared server. */
  static Rest over(String scheme) {
    URI endpoint = SharedServer.server().endpoint(scheme);
    List<HttpClient> clients = scheme.equals("https") ? SharedTls.TLS : Shared.PLAIN;
    return new Rest(endpoint, clients, SharedServer.PRIMARY);
  }

  /** To another server, in plain HTTP. */
  static Rest to(OrreryProcess server) {
    return to(server.endpoint("http"), SharedServer.PRIMARY);
  }

  /** To a server that somebody else has started, in plain HTTP. */
  static Rest to(URI endpoint, String accountKey) {
    return new Rest(endpoint, Shared.PLAIN, accountKey);
  }

  Request request(String method, String path) {
    return new Request(method, path);
  }

  Request get(String path) {
    return request("GET", path);
  }

  Request post(String path, String body) {
    return request("POST", path).body(body);
  }

  Request put(String path, String body) {
    return request("PUT", path).body(body);
  }

  Request patch(String path, String body) {
    return request("PATCH", path).body(body);
  }

  Request delete(String path) {
    return request("DELETE", path);
  }

  /** One request, sent with the primary key over names and the time of now unless told else. */
  final class Request {
    private static final int CAUSES_MAX = 20;

    private final String method;
    private final String path;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private byte[] body = {};
    private Signature signature;
    private String key = accountKey;
    private String date = Signature.date(Instant.now());
    private boolean signed = true;
    private Duration patience = PATIENCE;

    private Request(String method, String path) {
      this.method = method;
      this.path = path;
      this.signature = Signature.of(path);
      headers.put("x-ms-version", "2020-07-15");
    }

    Request header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** The partition key as a JSON array. */
    Request key(String json) {
      return header("x-ms-documentdb-partitionkey", json);
    }

    Request body(String text) {
      return body(text.getBytes(StandardCharsets.UTF_8));
    }

    Request body(byte[] bytes) {
      body = bytes.clone();
      return this;
    }

    Request signedBy(String accountKey) {
      key = accountKey;
      return this;
    }

    Request signedOver(Signature other) {
      signature = other;
      return this;
    }

    Request byRid() {
      signature = signature.byRid();
      return this;
    }

    Request dated(Instant time) {
      date = Signature.date(time);
      return this;
    }

    Request unsigned() {
      signed = false;
      return this;
    }

    /** Shows a resource token in place of a signature. */
    Request showing(String token) {
      return unsigned().header("authorization", URLEncoder.encode(token, StandardCharsets.UTF_8));
    }

    /** Waits longer than usual for the answer. */
    Request within(Duration time) {
      patience = time;
      return this;
    }

    String payload() {
      return signature.payload(method, date);
    }

    RestAnswer send() {
      var request =
          HttpRequest.newBuilder(endpoint.resolve(path))
              .timeout(patience)
              .method(
                  method,
                  body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
      headers.forEach(request::header);
      if (path.startsWith("/_orrery/") && !method.equals("GET")) {
        String digest = Signature.digest(body);
        request.header("x-orrery-content-sha256", digest);
        signature = new Signature("", path.substring(1) + " " + digest);
      }
      if (signed) {
        request.header("x-ms-date", date);
        request.header("authorization", signature.token(method, date, key));
      }
      try {
        var response = exchanged(request.build());
        return new RestAnswer(response.statusCode(), response.headers(), response.body());
      } catch (IOException e) {
        throw new UncheckedIOException(method + " " + path, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }

    /**
     * Repeats a request that only reads when the JDK's client has lost the answer: its connection
     * pool may treat it as unexpected data on an idle connection (JDK-8357639).
     */
    private HttpResponse<String> exchanged(HttpRequest request)
        throws IOException, InterruptedException {
      var text = BodyHandlers.ofString(StandardCharsets.UTF_8);
      try {
        return client().send(request, text);
      } catch (IOException e) {
        boolean reads = method.equals("GET") || headers.containsKey("x-ms-documentdb-isquery");
        if (reads && isLostInPool(e)) {
          return client().send(request, text);
        }
        throw e;
      }
    }

    private static boolean isLostInPool(Throwable fault) {
      return Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
          .limit(CAUSES_MAX)
          .anyMatch(cause -> "Data received while in pool".equals(cause.getMessage()));
    }
  }
}
