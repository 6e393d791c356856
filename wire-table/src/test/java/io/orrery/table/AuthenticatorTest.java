package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.AccountKeys;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String time(Duration fromNow) {
    return Instant.now().plus(fromNow).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String account(String sp, String se, String sip, String spr, String srt) {
    String text = String.join("\n", "localhost", sp, "t", srt, "", se, sip, spr, "2019-02-02", "");
    return "sv=2019-02-02&ss=t&srt="
        + (srt + "&sp=" + sp + "&se=" + encoded(se))
        + (sip.isEmpty() ? "" : "&sip=" + sip)
        + (spr.isEmpty() ? "" : "&spr=" + spr)
        + ("&sig=" + encoded(TableFixture.sign(AccountKeys.WELL_KNOWN, text)));
  }

  private HttpResponse<String> with(String sas) {
    return server.request("GET", "/people()?" + sas).unsigned().send();
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
}
