package io.orrery.nosql;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Sends signed requests to paths of names or rids and reads JSON answers. */
record WireClient(HttpClient http, InetSocketAddress address, String key) implements AutoCloseable {

  WireClient(InetSocketAddress address, String key) {
    this(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), address, key);
  }

  /** An answer. */
  record Reply(int status, HttpResponse<String> response) {
    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String body() {
      return response.body();
    }

    /** What stands in the body under the names. */
    Value at(String... names) {
      return JsonMembers.at(Json.parse(body()), names);
    }

    String text(String... names) {
      return at(names) instanceof Value.Text(String text) ? text : "";
    }

    /** The member of every row of a feed. */
    String all(String feed, String member) {
      return at(feed) instanceof Value.Arr(var rows)
          ? rows.stream()
              .map(row -> JsonMembers.at(row, member))
              .map(value -> value instanceof Value.Text(String text) ? text : "?")
              .collect(Collectors.joining(" "))
          : "no feed";
    }
  }

  /** Headers come as names and values in turn. */
  Reply send(String verb, String path, String body, String... headers) {
    Signature signature = Signature.now(key);
    return send(signature, signature.of(verb, path), verb, path, body, headers);
  }

  /** With the authorization of a client that addresses by rids. */
  Reply sendByRid(String verb, String path, String type, String rid, String body) {
    Signature signature = Signature.now(key);
    String authorization = signature.of(verb, type, rid.toLowerCase(Locale.ROOT));
    return send(signature, authorization, verb, path, body);
  }

  /** With an authorization of its own, made just now. */
  Reply sendSigned(String authorization, String verb, String path, String body, String... headers) {
    return send(Signature.now(key), authorization, verb, path, body, headers);
  }

  private Reply send(
      Signature signature,
      String authorization,
      String verb,
      String path,
      String body,
      String... headers) {
    String encoded =
        Arrays.stream(path.split("/", -1))
            .map(segment -> URLEncoder.encode(segment, StandardCharsets.UTF_8))
            .map(segment -> segment.replace("+", "%20"))
            .collect(Collectors.joining("/"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/" + encoded))
            .method(verb, HttpRequest.BodyPublishers.ofString(body))
            .header("authorization", authorization)
            .header("x-ms-date", signature.date());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(response.statusCode(), response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  Reply get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  Reply post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  Reply put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  Reply delete(String path, String... headers) {
    return send("DELETE", path, "", headers);
  }

  @Override
  public void close() {
    http.close();
  }
}
