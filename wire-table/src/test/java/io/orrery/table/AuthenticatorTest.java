package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.orrery.http.Origin;
import io.orrery.operation.AccountKeys;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in, and to what. */
class AuthenticatorTest {
  private final TableFixture server = new TableFixture();

  @BeforeEach
  void makeTable() {
    server.post("/Tables", "{\"TableName\":\"people\"}");
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void refused(HttpResponse<String> answer, int status, String code) {
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"" + code + "\""), answer.body());
  }

  private static void allowed(HttpResponse<String> answer) {
    assertEquals(200, answer.statusCode(), answer.body());
  }

  @Test
  void bothWaysToSignAreTaken() {
    assertEquals(200, server.request("GET", "/people()").send().statusCode());
    assertEquals(200, server.request("GET", "/people()").whole().send().statusCode());
    assertEquals(
        200,
        server.request("GET", "/people(PartitionKey=%27p%27,RowKey=%27r%27)").send().statusCode());
  }

  @Test
  void wrongSignaturesAndTimesAreRefused() {
    refused(
        server.request("GET", "/people()").unsigned().send(), 401, "NoAuthenticationInformation");
    refused(
        server.request("GET", "/people()").signedBy("localhost", "AAAA").send(),
        403,
        "AuthenticationFailed");
    refused(
        server.request("GET", "/people()").signedBy("stranger", AccountKeys.WELL_KNOWN).send(),
        403,
        "AuthenticationFailed");
    refused(
        server.request("GET", "/people()").at(Instant.now().minus(16, ChronoUnit.MINUTES)).send(),
        403,
        "AuthenticationFailed");
    refused(
        server.request("GET", "/people()").unsigned().header("Authorization", "Bearer x").send(),
        401,
        "InvalidAuthenticationInfo");
    refused(
        server
            .request("POST", "/people")
            .signedBy("localhost", TableFixture.READ_ONLY_KEY)
            .body("{\"PartitionKey\":\"p\",\"RowKey\":\"new\"}")
            .send(),
        403,
        "AuthorizationPermissionMismatch");
    assertEquals("", server.item("people", "p", "new"));
  }

  private static String time(Duration fromNow) {
    return Instant.now().plus(fromNow).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String account(String sp, String se, String sip, String spr, String srt) {
    String text = String.join("\n", "localhost", sp, "t", srt, "", se, sip, spr, "2019-02-02", "");
    return "sv=2019-02-02&ss=t&srt="
        + (srt + "&sp=" + sp + "&se=" + TableFixture.encoded(se))
        + (sip.isEmpty() ? "" : "&sip=" + sip)
        + (spr.isEmpty() ? "" : "&spr=" + spr)
        + ("&sig=" + TableFixture.encoded(TableFixture.sign(AccountKeys.WELL_KNOWN, text)));
  }

  private HttpResponse<String> with(String sas) {
    return server.request("GET", "/people()?" + sas).unsigned().send();
  }

  @Test
  void aSignatureIsNotTakenForTheKeyThatMadeIt() {
    String se = time(Duration.ofHours(1));
    var keys = new Authenticator("localhost", () -> TableFixture.KEYS, InstantSource.system());
    for (String sp : new String[] {"rwdlacu", "rl"}) {
      String target = "/Tables?" + account(sp, se, "", "", "sco");
      var asked =
          new Authenticator.Asked(
              "GET",
              Objects.requireNonNull(TablePath.parse(target, "localhost")),
              Objects.requireNonNull(QueryString.of(target)),
              new DefaultHttpHeaders(),
              new Origin(false, null, null));
      Access access = keys.admit(asked, new Authenticator.KeyHint());
      assertEquals("sas", access.caller(), access.toString());
    }
    assertEquals("key", Access.Granted.EVERYTHING.caller());
  }

  @Test
  void signaturesOfTheAccountAreHeldToWhatTheySay() {
    String later = time(Duration.ofHours(1));
    assertEquals(200, with(account("r", later, "", "", "o")).statusCode());
    assertEquals(200, with(account("r", later, "127.0.0.1", "https,http", "o")).statusCode());
    assertEquals(200, with(account("r", later, "127.0.0.0-127.0.0.9", "", "sco")).statusCode());
    refused(with(account("r", later, "10.0.0.1", "", "o")), 403, "AuthorizationSourceIPMismatch");
    refused(with(account("r", later, "", "https", "o")), 403, "AuthorizationProtocolMismatch");
    refused(with(account("r", later, "", "", "c")), 403, "AuthorizationResourceTypeMismatch");
    refused(with(account("a", later, "", "", "o")), 403, "AuthorizationPermissionMismatch");
    refused(
        with(account("r", time(Duration.ofHours(-1)), "", "", "o")), 403, "AuthenticationFailed");
    refused(
        with(account("r", later, "", "", "o").replace("sp=r", "sp=ra")),
        403,
        "AuthenticationFailed");
  }

  /** A signature of the table; what is not said is as for reading all of it in the next hour. */
  private static String table(Map<String, String> said) {
    var all = new TreeMap<String, String>(said);
    all.putIfAbsent("sp", "r");
    all.putIfAbsent("se", time(Duration.ofHours(1)));
    all.put("sv", "2019-02-02");
    all.put("tn", "people");
    var text = new StringBuilder();
    for (String name :
        new String[] {"sp", "st", "se", "/", "si", "sip", "spr", "sv", "spk", "srk", "epk"}) {
      text.append(name.equals("/") ? "/table/localhost/people" : all.getOrDefault(name, ""));
      text.append('\n');
    }
    text.append(all.getOrDefault("erk", ""));
    var query = new StringBuilder();
    all.forEach((name, value) -> query.append(name + "=" + TableFixture.encoded(value) + "&"));
    String signature = TableFixture.sign(AccountKeys.WELL_KNOWN, text.toString());
    return query + "sig=" + TableFixture.encoded(signature);
  }

  private HttpResponse<String> entity(String verb, String key, Map<String, String> said) {
    return server
        .request(verb, "/people(PartitionKey='" + key + "',RowKey='r')?" + table(said))
        .unsigned()
        .header("If-Match", "*")
        .body(verb.equals("PUT") ? "{\"a\":1}" : "")
        .send();
  }

  @Test
  void signaturesOfATableAreHeldToWhenAndWhence() {
    allowed(with(table(Map.of())));
    allowed(with(table(Map.of("st", time(Duration.ofHours(-1))))));
    refused(with(table(Map.of("st", time(Duration.ofMinutes(30))))), 403, "AuthenticationFailed");
    refused(with(table(Map.of("se", time(Duration.ofMinutes(-1))))), 403, "AuthenticationFailed");
    refused(with(table(Map.of("se", "never"))), 403, "AuthenticationFailed");
    allowed(with(table(Map.of("sip", "127.0.0.1"))));
    refused(with(table(Map.of("sip", "10.0.0.1"))), 403, "AuthorizationSourceIPMismatch");
    allowed(with(table(Map.of("spr", "https,http"))));
    refused(with(table(Map.of("spr", "https"))), 403, "AuthorizationProtocolMismatch");
    refused(with(table(Map.of("si", "policy"))), 403, "AuthenticationFailed");
    refused(with(table(Map.of()).replace("sp=r&", "sp=rd&")), 403, "AuthenticationFailed");
    refused(
        server.request("GET", "/other()?" + table(Map.of())).unsigned().send(),
        403,
        "AuthorizationFailure");
    refused(
        server.request("GET", "/Tables?" + table(Map.of())).unsigned().send(),
        403,
        "AuthorizationPermissionMismatch");
  }

  @Test
  void signaturesOfATableAreHeldToTheirPermissions() {
    String denied = "AuthorizationPermissionMismatch";
    refused(entity("PUT", "p", Map.of("sp", "rad")), 403, denied);
    refused(entity("DELETE", "p", Map.of("sp", "rau")), 403, denied);
    refused(with(table(Map.of("sp", "aud"))), 403, denied);
    refused(insert("new", Map.of("sp", "rud")), 403, denied);
    assertEquals(201, insert("new", Map.of("sp", "a")).statusCode());
    assertEquals(204, entity("PUT", "p", Map.of("sp", "u")).statusCode());
    assertEquals(204, entity("DELETE", "p", Map.of("sp", "d")).statusCode());
  }

  @Test
  void aTableIsTheSameHoweverItsNameIsWritten() {
    HttpResponse<String> again = server.post("/Tables", "{\"TableName\":\"PeoPle\"}");
    refused(again, 409, "TableAlreadyExists");
    server.post("/people", "{\"PartitionKey\":\"p\",\"RowKey\":\"case\"}");
    String path = "/PEOPLE(PartitionKey='p',RowKey='case')";
    assertEquals(200, server.get(path).statusCode());
    assertEquals(
        200, server.request("GET", path + "?" + table(Map.of())).unsigned().send().statusCode());
  }

  @Test
  void boundsOfSignaturesHaveOneOrder() {
    // U+1F600 stands behind U+FF5E by code points, before it by units of UTF-16.
    String smile = "\uD83D\uDE00";
    String tilde = "\uFF5E";
    server.post("/people", "{\"PartitionKey\":\"" + smile + "\",\"RowKey\":\"r\"}");
    var upToTilde = Map.of("epk", tilde);
    refused(entity("GET", TableFixture.encoded(smile), upToTilde), 403, "AuthorizationFailure");
    String rows = with(table(Map.of("spk", tilde))).body();
    assertTrue(rows.contains("\"RowKey\":\"r\""), rows);
    assertEquals(
        200, entity("GET", TableFixture.encoded(smile), Map.of("spk", tilde)).statusCode());
    assertEquals("{\"value\":[]}", with(table(Map.of("spk", smile + "a"))).body());
  }

  private HttpResponse<String> insert(String key, Map<String, String> said) {
    return server
        .request("POST", "/people?" + table(said))
        .unsigned()
        .body("{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"r\"}")
        .send();
  }

  @Test
  void signaturesOfATableAreHeldToTheirKeys() {
    for (String key : new String[] {"a", "m", "z"}) {
      server.post("/people", "{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"r\"}");
    }
    var some = Map.of("sp", "raud", "spk", "b", "epk", "n");
    String rows = with(table(some)).body();
    assertTrue(rows.contains("\"PartitionKey\":\"m\""), rows);
    assertEquals(2, rows.split("\"PartitionKey\"", -1).length, rows);
    assertEquals(200, entity("GET", "m", some).statusCode());
    assertEquals(204, entity("PUT", "m", some).statusCode());
    for (String outside : new String[] {"a", "z"}) {
      refused(entity("GET", outside, some), 403, "AuthorizationFailure");
      refused(entity("PUT", outside, some), 403, "AuthorizationFailure");
      refused(entity("DELETE", outside, some), 403, "AuthorizationFailure");
    }
    refused(insert("zz", some), 403, "AuthorizationFailure");
    HttpResponse<String> batch =
        server
            .request("POST", "/$batch?" + table(some))
            .unsigned()
            .contentType("multipart/mixed; boundary=b")
            .body(BatchTest.batch(BatchTest.insert("people", "zz", "1")))
            .send();
    assertTrue(batch.body().contains("HTTP/1.1 403 Forbidden"), batch.body());
    assertEquals("", server.item("people", "zz", "1"));
    var row = Map.of("spk", "m", "srk", "s", "epk", "m", "erk", "t");
    refused(entity("GET", "m", row), 403, "AuthorizationFailure");
    assertEquals("{\"value\":[]}", with(table(row)).body());
    refused(with(table(Map.of("srk", "a"))), 403, "AuthenticationFailed");
    refused(with(table(Map.of("erk", "a"))), 403, "AuthenticationFailed");
  }
}
