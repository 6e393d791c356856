package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users, permissions, and the feeds that are always empty. */
class RestUsersTest {
  private static final String UPSERT = "x-ms-documentdb-is-upsert";

  private final Rest rest = Rest.over("http");
  private final RestContainer container = RestContainer.create(Deployment.HTTP_ONE_RANGE);
  private final String users = "/dbs/" + container.database() + "/users";

  private RestAnswer query(String path) {
    return rest.post(path, "{\"query\":\"SELECT * FROM c WHERE c.id = 'b'\"}")
        .header("content-type", "application/query+json")
        .send()
        .expect(200);
  }

  private String permission(String id, String mode) {
    return """
    {"id":"%s","permissionMode":"%s","resource":"%s"}
    """
        .formatted(id, mode, container.path().substring(1));
  }

  @Test
  void usersAreMadeReadRenamedAndDeleted() {
    RestAnswer created = rest.post(users, "{\"id\":\"a\"}").send().expect(201);
    assertEquals("permissions/", created.json().get("_permissions").asText());
    assertEquals("dbs/" + container.database(), created.header("x-ms-alt-content-path"));
    rest.post(users, "{\"id\":\"a\"}").send().refused(409, 0);
    rest.post(users, "{\"id\":\"a/b\"}").send().refused(400, 0);
    rest.post(users, "{\"id\":\"a\"}").header(UPSERT, "true").send().expect(200);
    rest.post(users, "{\"id\":\"b\"}").header(UPSERT, "true").send().expect(201);
    assertEquals(
        List.of("a", "b"),
        rest.get(users).send().expect(200).json().get("Users").findValuesAsText("id"));
    assertEquals(List.of("b"), query(users).json().get("Users").findValuesAsText("id"));

    JsonNode renamed = rest.put(users + "/a", "{\"id\":\"c\"}").send().expect(200).json();
    assertEquals(created.json().get("_rid"), renamed.get("_rid"));
    String self = "/" + renamed.get("_self").asText().replaceAll("/$", "");
    assertEquals(renamed, rest.get(self).byRid().send().expect(200).json());
    rest.get(users + "/a").send().refused(404, 0);
    rest.delete(users + "/c").send().expect(204);
    rest.delete(users + "/c").send().refused(404, 0);
  }

  @Test
  void permissionsAreMadeReadChangedAndDeleted() {
    rest.post(users, "{\"id\":\"u\"}").send().expect(201);
    String feed = users + "/u/permissions";
    JsonNode created = rest.post(feed, permission("a", "read")).send().expect(201).json();
    assertEquals("Read", created.get("permissionMode").asText());
    assertEquals(container.path().substring(1), created.get("resource").asText());
    assertTrue(created.get("_token").asText().startsWith("type=resource&ver=1&sig="));
    rest.post(feed, permission("b", "Read")).send().refused(409, 0);
    rest.post(feed, permission("b", "Write")).send().refused(400, 0);
    rest.post(feed, permission("b", "All").replace("/colls", "/colls/none/docs"))
        .send()
        .refused(404, 0);
    rest.post(feed, permission("b", "All").replace("/colls/", "/")).send().refused(400, 0);

    JsonNode changed = rest.put(feed + "/a", permission("b", "All")).send().expect(200).json();
    assertEquals(created.get("_rid"), changed.get("_rid"));
    assertNotEquals(created.get("_token"), changed.get("_token"));
    rest.post(feed, permission("b", "All")).header(UPSERT, "true").send().expect(200);
    String self = "/" + changed.get("_self").asText().replaceAll("/$", "");
    rest.get(self).byRid().send().expect(200);
    rest.get(feed + "/b").send().expect(200);
    for (RestAnswer page : List.of(rest.get(feed).send().expect(200), query(feed))) {
      assertEquals(List.of("b"), page.json().get("Permissions").findValuesAsText("id"));
      assertTrue(page.text().contains("_token"), page.text());
    }
    rest.delete(feed + "/b").send().expect(204);
    rest.get(feed + "/b").send().refused(404, 0);
    rest.post(users + "/none/permissions", permission("a", "All")).send().refused(404, 1003);
  }

  @Test
  void conflictsAreNone() {
    String feed = container.path() + "/conflicts";
    for (RestAnswer page : List.of(rest.get(feed).send().expect(200), query(feed))) {
      assertEquals("[]", page.json().get("Conflicts").toString());
    }
    rest.get(feed + "/x").send().refused(404, 0);
    rest.delete(feed + "/x").send().refused(404, 0);
    rest.get("/dbs/" + container.database() + "/colls/none/conflicts").send().refused(404, 1003);
  }

  @Test
  void encryptionKeysAreNone() {
    String feed = "/dbs/" + container.database() + "/clientencryptionkeys";
    for (RestAnswer page : List.of(rest.get(feed).send().expect(200), query(feed))) {
      assertEquals("[]", page.json().get("ClientEncryptionKeys").toString());
    }
  }
}
