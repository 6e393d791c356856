package io.orrery.compat;

import com.fasterxml.jackson.databind.JsonNode;

/** A user of a container's database and the permission that it has. */
record Permitted(RestContainer container, String user, String definition) {

  /** Makes a user with a permission on the whole container. */
  static Permitted whole(RestContainer container, String mode) {
    return make(container, mode, "");
  }

  /** Makes a user with a permission on one key of the container. */
  static Permitted key(RestContainer container, String mode, String key) {
    return make(container, mode, ",\"resourcePartitionKey\":[\"" + key + "\"]");
  }

  /** Makes a user with a permission on one thing in the container. */
  static Permitted within(RestContainer container, String mode, String link, String more) {
    String user = SharedServer.freshName("user");
    container
        .rest()
        .post("/dbs/" + container.database() + "/users", "{\"id\":\"" + user + "\"}")
        .send()
        .expect(201);
    String definition =
        "{\"id\":\"p\",\"permissionMode\":\"%s\",\"resource\":\"%s\"%s}"
            .formatted(mode, container.path().substring(1) + link, more);
    return new Permitted(container, user, definition);
  }

  private static Permitted make(RestContainer container, String mode, String more) {
    return within(container, mode, "", more);
  }

  String userPath() {
    return "/dbs/" + container.database() + "/users/" + user;
  }

  String path() {
    return userPath() + "/permissions/p";
  }

  /** Gives the permission, or gives it anew; the token is good for a minute. */
  String token() {
    JsonNode permission =
        container
            .rest()
            .post(userPath() + "/permissions", definition)
            .header("x-ms-documentdb-is-upsert", "True")
            .header("x-ms-documentdb-expiry-seconds", "60")
            .send()
            .json();
    return permission.get("_token").asText();
  }
}
