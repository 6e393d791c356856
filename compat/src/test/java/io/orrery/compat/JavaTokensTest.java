package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosAsyncUser;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ContainerChildResourceType;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PermissionMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users, permissions and clients that have nothing but tokens, through the Java SDK. */
@EveryDeployment
class JavaTokensTest {
  private final JavaAccount account;
  private final CosmosAsyncClient owner;
  private final CosmosAsyncDatabase database;
  private final CosmosContainer container;

  JavaTokensTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
    owner = account.builder().buildAsyncClient();
    database = owner.getDatabase(account.database().getId());
    container = account.container("/pk");
    container.createItem(Map.of("id", "i", "pk", "a"));
    container.createItem(Map.of("id", "j", "pk", "b"));
  }

  @AfterEach
  void close() {
    owner.close();
  }

  private CosmosAsyncUser newUser() {
    String id = SharedServer.freshName("user");
    database.createUser(new CosmosUserProperties().setId(id)).block();
    return database.getUser(id);
  }

  private CosmosPermissionProperties permission(PermissionMode mode) {
    return new CosmosPermissionProperties()
        .setId(SharedServer.freshName("permission"))
        .setContainerName(container.getId())
        .setPermissionMode(mode);
  }

  private CosmosPermissionProperties permit(CosmosPermissionProperties permission) {
    return newUser().createPermission(permission, null).block().getProperties();
  }

  /**
   * The client takes the token of a name for requests by name and the token of a rid for requests
   * by rid, and reads the ranges of the container by rid: it needs permissions in both forms.
   */
  private List<CosmosPermissionProperties> alsoByRid(CosmosPermissionProperties byName) {
    CosmosAsyncUser user = newUser();
    var rest = Rest.over("http");
    String path = "/dbs/" + database.getId();
    String self =
        rest.get(path + "/colls/" + container.getId()).send().json().get("_self").asText();
    rest.post(
            path + "/users/" + user.getId() + "/permissions",
            "{\"id\":\"p\",\"permissionMode\":\"All\",\"resource\":\"" + self + "\"}")
        .send()
        .expect(201);
    return List.of(byName, user.getPermission("p").read(null).block().getProperties());
  }

  private CosmosContainer with(CosmosClient client) {
    return client.getDatabase(account.database().getId()).getContainer(container.getId());
  }

  private static CosmosQueryRequestOptions in(String key) {
    return new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(key));
  }

  @Test
  void usersAndPermissionsAreManaged() {
    CosmosAsyncUser user = newUser();
    assertEquals(200, user.read().block().getStatusCode());
    var created = user.createPermission(permission(PermissionMode.READ), null).block();
    assertEquals(201, created.getStatusCode());
    CosmosPermissionProperties properties = created.getProperties();
    assertEquals(PermissionMode.READ, properties.getPermissionMode());
    assertFalse(properties.getToken().isEmpty());
    JavaAccount.refused(
        409, 0, () -> user.createPermission(permission(PermissionMode.ALL), null).block());
    var permission = user.getPermission(properties.getId());
    assertEquals(200, permission.read(null).block().getStatusCode());
    properties.setPermissionMode(PermissionMode.ALL);
    assertEquals(
        PermissionMode.ALL,
        permission.replace(properties, null).block().getProperties().getPermissionMode());
    assertEquals(1, user.readAllPermissions().collectList().block().size());
    assertEquals(
        List.of(properties.getId()),
        user
            .queryPermissions("SELECT * FROM c WHERE c.id = '" + properties.getId() + "'")
            .collectList()
            .block()
            .stream()
            .map(CosmosPermissionProperties::getId)
            .toList());
    assertEquals(204, permission.delete(null).block().getStatusCode());
    String renamed = SharedServer.freshName("user");
    var changed = user.read().block().getProperties().setId(renamed);
    assertEquals(200, user.replace(changed).block().getStatusCode());
    assertEquals(
        1,
        database
            .queryUsers("SELECT * FROM c WHERE c.id = '" + renamed + "'")
            .collectList()
            .block()
            .size());
    assertEquals(204, database.getUser(renamed).delete().block().getStatusCode());
  }

  @Test
  void tokenOfAContainerReads() {
    String token = permit(permission(PermissionMode.READ)).getToken();
    try (CosmosClient client = account.builder().resourceToken(token).buildClient()) {
      CosmosContainer limited = with(client);
      assertEquals(200, limited.readItem("i", new PartitionKey("a"), Map.class).getStatusCode());
      assertEquals(
          2, limited.queryItems("SELECT * FROM c ORDER BY c.id", null, Map.class).stream().count());
      JavaAccount.refused(403, 0, () -> limited.createItem(Map.of("id", "k", "pk", "a")));
      JavaAccount.refused(403, 0, limited::delete);
      JavaAccount.refused(403, 0, client.getDatabase(account.database().getId())::read);
    }
  }

  @Test
  void permissionsOpenWhatTheySay() {
    CosmosPermissionProperties all = permit(permission(PermissionMode.ALL));
    try (CosmosClient client = account.builder().permissions(alsoByRid(all)).buildClient()) {
      CosmosContainer open = with(client);
      assertEquals(201, open.createItem(Map.of("id", "k", "pk", "a")).getStatusCode());
      var batch = CosmosBatch.createCosmosBatch(new PartitionKey("a"));
      batch.upsertItemOperation(Map.of("id", "l", "pk", "a"));
      assertEquals(200, open.executeCosmosBatch(batch).getStatusCode());
      assertEquals(204, open.deleteItem("k", new PartitionKey("a"), null).getStatusCode());
    }
  }

  @Test
  void permissionForAKeyStaysWithinIt() {
    CosmosPermissionProperties key =
        permit(permission(PermissionMode.ALL).setResourcePartitionKey(new PartitionKey("a")));
    try (CosmosClient client = account.builder().resourceToken(key.getToken()).buildClient()) {
      CosmosContainer limited = with(client);
      assertEquals(200, limited.readItem("i", new PartitionKey("a"), Map.class).getStatusCode());
      assertEquals(201, limited.createItem(Map.of("id", "k", "pk", "a")).getStatusCode());
      assertEquals(2, limited.queryItems("SELECT * FROM c", in("a"), Map.class).stream().count());
      JavaAccount.refused(403, 0, () -> limited.readItem("j", new PartitionKey("b"), Map.class));
      JavaAccount.refused(
          403, 0, () -> limited.queryItems("SELECT * FROM c", in("b"), Map.class).stream().count());
      JavaAccount.refused(
          403, 0, () -> limited.queryItems("SELECT * FROM c", null, Map.class).stream().count());
    }
  }

  @Test
  void permissionForAnItemIsForThatItem() {
    CosmosPermissionProperties item =
        permit(
            permission(PermissionMode.ALL).setResourcePath(ContainerChildResourceType.ITEM, "i"));
    try (CosmosClient client = account.builder().resourceToken(item.getToken()).buildClient()) {
      CosmosContainer limited = with(client);
      var key = new PartitionKey("a");
      assertEquals(200, limited.readItem("i", key, Map.class).getStatusCode());
      assertEquals(
          200,
          limited
              .replaceItem(Map.of("id", "i", "pk", "a", "n", 1), "i", key, null)
              .getStatusCode());
      JavaAccount.refused(403, 0, () -> limited.readItem("j", new PartitionKey("b"), Map.class));
      assertEquals(204, limited.deleteItem("i", key, null).getStatusCode());
      container.createItem(Map.of("id", "i", "pk", "a"));
      JavaAccount.refused(403, 0, () -> limited.readItem("i", key, Map.class));
    }
  }
}
