package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what: keys, dates and signatures. */
class RestAuthTest {
  private static final String WELL_KNOWN =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  private final Rest rest = Rest.over("http");

  private static String name() {
    return SharedServer.freshName("auth");
  }

  private static String definition() {
    return "{\"id\":\"" + name() + "\"}";
  }

  @Test
  void bothKeysReadAndWrite() {
    for (String key : List.of(SharedServer.PRIMARY, SharedServer.SECONDARY)) {
      rest.post("/dbs", definition()).signedBy(key).send().expect(201);
      rest.get("/dbs").signedBy(key).send().expect(200);
    }
  }

  @Test
  void readOnlyKeysOnlyRead() {
    var container = RestContainer.create(Deployment.HTTP_ONE_RANGE);
    container.put("a", "\"p\"").expect(201);
    for (String key : List.of(SharedServer.PRIMARY_READONLY, SharedServer.SECONDARY_READONLY)) {
      rest.get("/").signedBy(key).send().expect(200);
      rest.get("/dbs").signedBy(key).send().expect(200);
      rest.get(container.path() + "/pkranges").signedBy(key).send().expect(200);
      rest.get(container.doc("a")).key("[\"p\"]").signedBy(key).send().expect(200);
      rest.post("/offers", "{\"query\":\"SELECT * FROM c\"}")
          .header("content-type", "application/query+json")
          .header("x-ms-documentdb-isquery", "true")
          .signedBy(key)
          .send()
          .expect(200);
      rest.post("/dbs", definition()).signedBy(key).send().refused(403, 0);
      rest.delete(container.path()).signedBy(key).send().refused(403, 0);
      rest.delete(container.doc("a")).key("[\"p\"]").signedBy(key).send().refused(403, 0);
      rest.patch(container.doc("a"), "[]").key("[\"p\"]").signedBy(key).send().refused(403, 0);
      rest.request("POST", container.path() + "/operations/partitionkeydelete")
          .key("[\"p\"]")
          .signedBy(key)
          .send()
          .refused(403, 0);
    }
  }

  @Test
  void wrongSignatureIsToldWhatShouldHaveBeenSigned() {
    var request = rest.get("/dbs/some%20name").signedBy(SharedServer.PRIMARY.replace('a', 'b'));
    String message = request.send().refused(401, 0).json().get("message").asText();
    assertTrue(message.contains("'" + request.payload() + "'"), message);
  }

  @Test
  void signatureOfAnotherResourceIsRefused() {
    rest.get("/dbs/a").signedOver(new Signature("dbs", "dbs/b")).send().refused(401, 0);
    rest.get("/dbs/a").signedOver(new Signature("colls", "dbs/a")).send().refused(401, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "type=master",
        "type=master&ver=1.0&sig=",
        "type=master&ver=1.0&sig=%%%",
        "type=resource&ver=1&sig=abc;def;",
        "type=aad&ver=1.0&sig=eyJ0"
      })
  void brokenTokensAreRefused(String token) {
    rest.get("/dbs").unsigned().header("authorization", token).send().refused(401, 0);
  }

  @Test
  void missingTokenIsRefused() {
    String message =
        rest.get("/dbs").unsigned().send().refused(401, 0).json().get("message").asText();
    assertTrue(message.contains("Required Header authorization is missing"), message);
  }

  @Test
  void tokenNeedNotBeEncoded() {
    String date = Signature.date(Instant.now());
    String token =
        URLDecoder.decode(
            new Signature("dbs", "").token("GET", date, SharedServer.PRIMARY),
            StandardCharsets.UTF_8);
    rest.get("/dbs")
        .unsigned()
        .header("x-ms-date", date)
        .header("authorization", token)
        .send()
        .expect(200);
  }

  @Test
  void dateMustBeWithinAQuarterOfAnHour() {
    Instant now = Instant.now();
    rest.get("/dbs").dated(now.minus(Duration.ofMinutes(14))).send().expect(200);
    rest.get("/dbs").dated(now.plus(Duration.ofMinutes(14))).send().expect(200);
    for (Instant wrong :
        List.of(now.minus(Duration.ofMinutes(16)), now.plus(Duration.ofMinutes(16)))) {
      String message =
          rest.get("/dbs").dated(wrong).send().refused(403, 0).json().get("message").asText();
      assertTrue(message.contains("not valid at the current time"), message);
    }
  }

  @Test
  void wellKnownKeyOpensAServerOnLoopback() {
    try (var server = OrreryProcess.start(List.of("--memory"))) {
      Rest.to(server).post("/dbs", definition()).signedBy(WELL_KNOWN).send().expect(201);
      Rest.to(server).get("/dbs").send().refused(401, 0);
    }
  }

  @Test
  void wellKnownKeyOpensNoServerWithAKeyOfItsOwn() {
    try (var server = OrreryProcess.start(List.of("--memory", "--key", SharedServer.PRIMARY))) {
      Rest.to(server).post("/dbs", definition()).signedBy(WELL_KNOWN).send().refused(401, 0);
      Rest.to(server).get("/dbs").send().expect(200);
    }
  }

  @Test
  void namesAreSignedAsTheyAreNotAsTheyAreEncoded() {
    String name = name() + " Straße 台北+%";
    rest.post("/dbs", "{\"id\":\"" + name + "\"}").send().expect(201);
    String encoded = java.net.URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    rest.get("/dbs/" + encoded).send().expect(200);
    rest.delete("/dbs/" + encoded).send().expect(204);
  }
}
