package io.orrery.compat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A database with something of every kind in it, and tokens of every reach. */
final class TokenFixture {
  private static final String KEY =
      ",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
  private static final String SCRIPT =
      "{\"id\":\"%s\",\"body\":\"function () {}\",\"triggerType\":\"Pre\","
          + "\"triggerOperation\":\"All\"}";

  private final Rest rest;
  private final String database = SharedServer.freshName("tokens");
  private final Map<String, String> tokens = new LinkedHashMap<>();

  TokenFixture(Rest rest) {
    this.rest = rest;
    make("/dbs", "{\"id\":\"" + database + "\"}");
    for (String container : List.of("c", "other")) {
      make("/dbs/{db}/colls", "{\"id\":\"" + container + "\"" + KEY);
    }
    item("i", "a");
    item("j", "b");
    make("/dbs/{db}/colls/c/sprocs", SCRIPT.formatted("s"));
    make("/dbs/{db}/colls/c/triggers", SCRIPT.formatted("t"));
    make("/dbs/{db}/colls/c/udfs", SCRIPT.formatted("f"));
    make("/dbs/{db}/users", "{\"id\":\"u\"}");
    tokens.put("read", permit("read", "Read", "", ""));
    // One permission per user and resource.
    make("/dbs/{db}/users", "{\"id\":\"v\"}");
    tokens.put("all", permit("v", "all", "All", "", ""));
    tokens.put("key", permit("key", "All", "", ",\"resourcePartitionKey\":[\"a\"]"));
    tokens.put("item", permit("item", "All", "/docs/i", ""));
    tokens.put("script", permit("script", "All", "/sprocs/s", ""));
    tokens.put("gone", permit("gone", "All", "/udfs/f", ""));
    rest.delete(path("/dbs/{db}/users/u/permissions/gone")).send().expect(204);
    tokens.put("broken", "type=resource&ver=1&sig=x");
  }

  String path(String template) {
    return template.replace("{db}", database);
  }

  private RestAnswer make(String template, String body) {
    return rest.post(path(template), body).send().expect(201);
  }

  private void item(String id, String key) {
    rest.post(path("/dbs/{db}/colls/c/docs"), "{\"id\":\"" + id + "\",\"pk\":\"" + key + "\"}")
        .key("[\"" + key + "\"]")
        .send()
        .expect(201);
  }

  private String permit(String id, String mode, String within, String more) {
    return permit("u", id, mode, within, more);
  }

  private String permit(String user, String id, String mode, String within, String more) {
    String body =
        """
        {"id":"%s","permissionMode":"%s","resource":"dbs/%s/colls/c%s"%s}
        """
            .formatted(id, mode, database, within, more);
    return make("/dbs/{db}/users/" + user + "/permissions", body).json().get("_token").asText();
  }

  /** The authorization header of a token. */
  String token(String name) {
    return URLEncoder.encode(tokens.get(name), StandardCharsets.UTF_8);
  }

  List<String> names() {
    return List.copyOf(tokens.keySet());
  }
}
