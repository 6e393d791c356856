package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What resource tokens open: every route with every kind of token, by the table tokens.txt. */
class RestTokensTest {
  private static final Pattern ROUTE =
      Pattern.compile("Route\\.(read|write|tell|refuse)\\(\\s*\"(\\w+)\"");
  private static final Path ROUTES =
      OrreryProcess.ROOT.resolve("wire-nosql/src/main/java/io/orrery/nosql");
  private static OrreryProcess server;
  private static Rest rest;

  @BeforeAll
  static void start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--memory", "--clock=virtual"));
    server = OrreryProcess.start(options);
    rest = Rest.to(server);
  }

  @AfterAll
  static void stop() {
    assertEquals(List.of(), server.complaints());
    server.close();
  }

  /** One row of the table. */
  private record Row(
      String route, String method, String path, String words, List<String> statuses, String body) {

    static Row of(String line) {
      List<String> cells = Arrays.stream(line.split("\\|", 5)).map(String::strip).toList();
      List<String> request = List.of(cells.get(1).split(" ", 2));
      return new Row(
          cells.get(0),
          request.get(0),
          request.get(1),
          cells.get(2),
          List.of(cells.get(3).split(" +", -1)),
          cells.get(4));
    }

    Rest.Request request(TokenFixture fixture, String token) {
      var request =
          rest.request(method, fixture.path(path))
              .unsigned()
              .header("authorization", fixture.token(token));
      for (String word : words.isEmpty() ? List.<String>of() : List.of(words.split(" +", -1))) {
        say(request, word);
      }
      return body.isEmpty() ? request : request.body(body.replace('\'', '"'));
    }

    private static void say(Rest.Request request, String word) {
      switch (word) {
        case "query" -> request.header("content-type", "application/query+json");
        case "cross" -> request.header("x-ms-documentdb-query-enablecrosspartition", "true");
        case "plan" -> request.header("x-ms-cosmos-is-query-plan-request", "True");
        case "upsert" -> request.header("x-ms-documentdb-is-upsert", "true");
        case "batch" -> request.header("x-ms-cosmos-is-batch-request", "True");
        case "atomic" -> request.header("x-ms-cosmos-batch-atomic", "True");
        case "changes" -> request.header("A-IM", "Incremental Feed");
        case "range" -> request.header("x-ms-documentdb-partitionkeyrangeid", "0");
        default -> {
          assertTrue(word.startsWith("key="), word);
          request.key("[\"" + word.substring(4) + "\"]");
        }
      }
    }
  }

  private static List<String> lines() throws IOException {
    try (var table = RestTokensTest.class.getResourceAsStream("/tokens.txt")) {
      return new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }

  @TestFactory
  List<DynamicTest> everyCellOfTheTableHolds() throws IOException {
    List<String> names = List.of(lines().getFirst().split(" +", -1));
    assertEquals(names, new TokenFixture(rest).names());
    var tests = new ArrayList<DynamicTest>();
    for (int i = 0; i < names.size(); i++) {
      int column = i;
      String name = names.get(i);
      tests.add(DynamicTest.dynamicTest(name, () -> columnHolds(column, name)));
    }
    return tests;
  }

  private static void columnHolds(int column, String token) throws IOException {
    var fixture = new TokenFixture(rest);
    var wrong = new ArrayList<String>();
    for (String line : lines().stream().skip(1).toList()) {
      Row row = Row.of(line);
      RestAnswer answer = row.request(fixture, token).send();
      if (!row.statuses().get(column).equals(Integer.toString(answer.status()))) {
        wrong.add(answer.status() + " " + answer.text() + " for " + line);
      }
      if (answer.status() == 403) {
        answer.refused(403, 0);
      }
      if (answer.status() < 300 && !row.method().equals("GET")) {
        // What was written must not decide the next row.
        fixture = new TokenFixture(rest);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void everyRouteHasARow() throws IOException {
    var routes = new TreeSet<String>();
    try (var files = Files.newDirectoryStream(ROUTES, "*Routes.java")) {
      for (Path file : files) {
        ROUTE
            .matcher(Files.readString(file))
            .results()
            .forEach(route -> routes.add(route.group(2)));
      }
    }
    var rows = new TreeSet<String>();
    lines().stream().skip(1).map(Row::of).forEach(row -> rows.add(row.route()));
    assertEquals(routes, rows);
  }

  private static RestAnswer with(String token, String path) {
    return rest.get(path).showing(token).send();
  }

  private static JsonNode permission(RestContainer container, String header, int expected) {
    String users = "/dbs/" + container.database() + "/users";
    rest.post(users, "{\"id\":\"u\"}").header("x-ms-documentdb-is-upsert", "true").send();
    return rest.post(
            users + "/u/permissions",
            "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\""
                + container.path().substring(1)
                + "\"}")
        .header("x-ms-documentdb-expiry-seconds", header)
        .send()
        .expect(expected)
        .json();
  }

  private static RestContainer container() {
    return RestContainer.create(
        rest, "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
  }

  @Test
  void tokenEndsWithItsTime() {
    RestContainer container = container();
    String token = permission(container, "600", 201).get("_token").asText();
    with(token, container.path()).expect(200);
    advance(590_000);
    with(token, container.path()).expect(200);
    advance(10_000);
    String message = with(token, container.path()).refused(403, 0).json().get("message").asText();
    assertTrue(message.contains("not valid at the current time"), message);
    with(token, "/").refused(403, 0);
  }

  private static void advance(int milliseconds) {
    rest.post("/_orrery/clock/advance", "{\"milliseconds\":" + milliseconds + "}")
        .signedOver(new Signature("", ""))
        .send()
        .expect(200);
  }

  @Test
  void timeOfATokenIsBounded() {
    RestContainer container = container();
    for (String wrong : List.of("0", "-1", "18001", "soon")) {
      permission(container, wrong, 400);
    }
    permission(container, "18000", 201);
  }

  @Test
  void changedTokenIsForbiddenAndNonsenseUnauthorized() {
    RestContainer container = container();
    String token = permission(container, "60", 201).get("_token").asText();
    int first = token.indexOf("sig=") + 4;
    char other = token.charAt(first) == 'A' ? 'B' : 'A';
    String changed = token.substring(0, first) + other + token.substring(first + 1);
    with(changed, container.path()).refused(403, 0);
    with("type=resource&ver=1&sig=nonsense", container.path()).refused(401, 0);
  }

  @Test
  void readOnlyKeysSeeUsersButNoPermissions() {
    RestContainer container = container();
    permission(container, "60", 201);
    String user = "/dbs/" + container.database() + "/users/u";
    String key = SharedServer.PRIMARY_READONLY;
    rest.get(user).signedBy(key).send().expect(200);
    for (String path : List.of(user + "/permissions", user + "/permissions/p")) {
      String message =
          rest.get(path).signedBy(key).send().refused(403, 0).json().get("message").asText();
      assertTrue(message.contains("permissions hold tokens"), message);
    }
    rest.post(user + "/permissions", "{\"query\":\"SELECT * FROM c\"}")
        .header("content-type", "application/query+json")
        .signedBy(key)
        .send()
        .refused(403, 0);
  }
}
