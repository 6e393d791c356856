package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.core.credential.AzureKeyCredential;
import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasSignatureValues;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Account keys change under the Java clients, which go on once they are given the next one. */
class KeyRotationSdkTest {
  private static final String PRIMARY = "primary";
  private static final int ITEMS = 8;
  private static RotatedServer server;

  @BeforeAll
  static void start() {
    ServerStorage.requireEmbedded("nodes that share a storage share no file of keys");
    server = new RotatedServer();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void queriesGoOnWhereTheyWere() {
    RestContainer made =
        RestContainer.create(
            server.rest(), "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    BegunReads.fill(made, "a", "m", 0, ITEMS);
    var credential = new AzureKeyCredential(server.key(PRIMARY));
    try (CosmosClient client =
        new CosmosClientBuilder()
            .endpoint(server.process().endpoint("http").toString())
            .credential(credential)
            .gatewayMode()
            .consistencyLevel(ConsistencyLevel.SESSION)
            .buildClient()) {
      CosmosContainer items = client.getDatabase(made.database()).getContainer(made.id());
      FeedResponse<JsonNode> page = page(items, null);
      int rows = page.getResults().size();
      server.rotate(PRIMARY);
      JavaAccount.refused(401, 0, () -> items.readItem("a-0", Items.key("a"), JsonNode.class));
      credential.update(server.key(PRIMARY));
      while (page.getContinuationToken() != null) {
        page = page(items, page.getContinuationToken());
        rows += page.getResults().size();
      }
      assertEquals(ITEMS, rows);
    }
  }

  private static FeedResponse<JsonNode> page(CosmosContainer items, @Nullable String continuation) {
    return items
        .queryItems("SELECT * FROM c ORDER BY c.n", new CosmosQueryRequestOptions(), JsonNode.class)
        .iterableByPage(continuation, BegunReads.PAGE)
        .iterator()
        .next();
  }

  @Test
  void tablesArePagedOnAndSignaturesOfTheRemovedKeyEnd() {
    String name = JavaTables.freshName();
    TableClient table = table(name);
    table.createTable();
    for (int i = 0; i < ITEMS; i++) {
      table.createEntity(new TableEntity("p", "r" + i));
    }
    String signature =
        table.generateSas(
            new TableSasSignatureValues(
                OffsetDateTime.now(ZoneOffset.UTC).plusHours(1), TableSasPermission.parse("ra")));
    TableClient signed =
        new TableClientBuilder()
            .endpoint(server.tableEndpoint())
            .sasToken(signature)
            .tableName(name)
            .retryOptions(new RetryOptions(new ExponentialBackoffOptions().setMaxRetries(0)))
            .buildClient();
    signed.createEntity(new TableEntity("p", "signed"));
    var options = new ListEntitiesOptions().setTop(BegunReads.PAGE);
    var first = table.listEntities(options, null, null).iterableByPage().iterator().next();
    server.rotate(PRIMARY);
    JavaTables.refused(
        403, "AuthenticationFailed", () -> table.createEntity(new TableEntity("p", "late")));
    JavaTables.refused(
        403, "AuthenticationFailed", () -> signed.createEntity(new TableEntity("p", "late")));
    int rows = first.getValue().size();
    for (var page :
        table(name)
            .listEntities(options, null, null)
            .iterableByPage(first.getContinuationToken())) {
      rows += page.getValue().size();
    }
    assertEquals(ITEMS + 1, rows);
  }

  private static TableClient table(String name) {
    return JavaTables.table(server.tableEndpoint(), server.key(PRIMARY), name);
  }
}
