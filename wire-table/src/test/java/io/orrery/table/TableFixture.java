package io.orrery.table;

import io.orrery.http.Bounds;
import io.orrery.http.HttpDate;
import io.orrery.memory.MemoryStorage;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Body;
import io.orrery.operation.Database;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** A server on a free port over an empty database, and requests to it made by hand. */
final class TableFixture implements AutoCloseable {
  static final String READ_ONLY_KEY = "cmVhZC1vbmx5LWtleQ==";
  static final AccountKeys KEYS =
      new AccountKeys(List.of(AccountKeys.WELL_KNOWN), List.of(READ_ONLY_KEY));

  private final Database database;
  private final TableServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  TableFixture() {
    this(DatabaseSettings.of(Limits.SEEDS));
  }

  TableFixture(DatabaseSettings settings) {
    this(settings, TableConfig.plain("127.0.0.1", 0, KEYS));
  }

  TableFixture(Bounds bounds) {
    this(DatabaseSettings.of(Limits.SEEDS), bounded(bounds));
  }

  private TableFixture(DatabaseSettings settings, TableConfig config) {
    database = OrreryDatabase.open(new MemoryStorage(), settings);
    server = TableServer.start(config, database);
  }

  private static TableConfig bounded(Bounds bounds) {
    TableConfig plain = TableConfig.plain("127.0.0.1", 0, KEYS);
    return new TableConfig(
        plain.host(),
        plain.port(),
        null,
        plain.account(),
        plain.access(),
        plain.limits(),
        plain.observer(),
        plain.stopWithin(),
        bounds);
  }

  InetSocketAddress address() {
    return server.address();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Database database() {
    return database;
  }

  Request request(String method, String path) {
    return new Request(method, path);
  }

  HttpResponse<String> get(String path) {
    return request("GET", path).send();
  }

  HttpResponse<String> post(String path, String body) {
    return request("POST", path).body(body).send();
  }

  /** An entity as the item that holds it. */
  String item(String table, String partitionKey, String rowKey) {
    var scope = EntityStep.scope(table, new Entity.Key(partitionKey, rowKey));
    var read = new Operation.ReadItem(scope, new ItemRef.ById(rowKey), Precondition.NONE);
    return database.execute(read).outcome() instanceof Outcome.ItemRead(var item)
        ? item.body().bytes().utf8()
        : "";
  }

  /** Writes an item as another protocol would. */
  void write(String table, String json) {
    var scope = new ItemScope(Command.container(table), null);
    var upsert = new Operation.UpsertItem(scope, Body.json(json), Precondition.NONE);
    var outcome = database.execute(upsert).outcome();
    if (!(outcome instanceof Outcome.Success)) {
      throw new AssertionError(outcome);
    }
  }

  /** A request being put together. */
  final class Request {
    private final String method;
    private final String path;
    private final HttpRequest.Builder builder;
    private String key = AccountKeys.WELL_KNOWN;
    private String account = TableConfig.ACCOUNT;
    private Instant time = Instant.now();
    private String contentType = "application/json";
    private boolean lite = true;
    private boolean signed = true;
    private byte[] body = new byte[0];

    private Request(String method, String path) {
      this.method = method;
      this.path = path;
      this.builder =
          HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }

    Request body(String text) {
      body = text.getBytes(StandardCharsets.UTF_8);
      return this;
    }

    Request header(String name, String value) {
      builder.header(name, value);
      return this;
    }

    Request contentType(String type) {
      contentType = type;
      return this;
    }

    Request signedBy(String name, String otherKey) {
      account = name;
      key = otherKey;
      return this;
    }

    Request whole() {
      lite = false;
      return this;
    }

    Request unsigned() {
      signed = false;
      return this;
    }

    Request at(Instant other) {
      time = other;
      return this;
    }

    HttpResponse<String> send() {
      if (signed) {
        String date = HttpDate.text(time.getEpochSecond());
        int query = path.indexOf('?');
        String resource = "/" + account + (query < 0 ? path : path.substring(0, query));
        if (path.contains("comp=")) {
          resource += "?comp=" + path.replaceAll(".*comp=(\\w+).*", "$1");
        }
        String text =
            lite
                ? date + "\n" + resource
                : method + "\n\n" + contentType + "\n" + date + "\n" + resource;
        builder.header("x-ms-date", date);
        builder.header(
            "Authorization",
            (lite ? "SharedKeyLite " : "SharedKey ") + account + ":" + sign(key, text));
      }
      builder.header("Content-Type", contentType);
      builder.method(method, HttpRequest.BodyPublishers.ofByteArray(body));
      try {
        return client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  static String sign(String key, String text) {
    var signer = new Signer(new AccountKeys(List.of(key), List.of()));
    signer.payload(text.split("\n", -1));
    return Base64.getEncoder().encodeToString(signer.signature(0));
  }

  @Override
  public void close() {
    client.close();
    server.close();
    database.close();
  }
}
