package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Etags and unique keys through the Java SDK. */
@EveryDeployment
class JavaConditionsTest {
  private final JavaAccount account;
  private final CosmosContainer container;

  JavaConditionsTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
    container = account.container("/pk");
  }

  private static CosmosItemRequestOptions ifMatch(String etag) {
    return new CosmosItemRequestOptions().setIfMatchETag(etag);
  }

  @Test
  void replaceWithStaleEtagIsRefused() {
    String first = container.createItem(Items.item("a", "p")).getETag();
    String second =
        container.replaceItem(Items.item("a", "p"), "a", Items.key("p"), ifMatch(first)).getETag();
    assertNotEquals(first, second);
    JavaAccount.refused(
        412,
        0,
        () -> container.replaceItem(Items.item("a", "p"), "a", Items.key("p"), ifMatch(first)));
    assertEquals(
        200,
        container
            .replaceItem(Items.item("a", "p"), "a", Items.key("p"), ifMatch(second))
            .getStatusCode());
  }

  @Test
  void upsertWithStaleEtagIsRefused() {
    String first = container.createItem(Items.item("a", "p")).getETag();
    container.upsertItem(Items.item("a", "p"), ifMatch(first));
    JavaAccount.refused(412, 0, () -> container.upsertItem(Items.item("a", "p"), ifMatch(first)));
  }

  @Test
  void deleteWithStaleEtagIsRefused() {
    String first = container.createItem(Items.item("a", "p")).getETag();
    String second = container.upsertItem(Items.item("a", "p")).getETag();
    JavaAccount.refused(412, 0, () -> container.deleteItem("a", Items.key("p"), ifMatch(first)));
    assertEquals(204, container.deleteItem("a", Items.key("p"), ifMatch(second)).getStatusCode());
  }

  @Test
  void anyEtagMeansThatTheItemExists() {
    container.createItem(Items.item("a", "p"));
    assertEquals(
        200,
        container
            .replaceItem(Items.item("a", "p"), "a", Items.key("p"), ifMatch("*"))
            .getStatusCode());
  }

  @Test
  void unchangedItemIsNotReadAgain() {
    String etag = container.createItem(Items.item("a", "p")).getETag();
    var known = new CosmosItemRequestOptions().setIfNoneMatchETag(etag);
    // The SDK makes an error of 304.
    assertEquals(304, readStatus(known));
    container.upsertItem(Items.item("a", "p").put("n", 1));
    assertEquals(200, readStatus(known));
  }

  private int readStatus(CosmosItemRequestOptions options) {
    try {
      return container.readItem("a", Items.key("p"), options, ObjectNode.class).getStatusCode();
    } catch (com.azure.cosmos.CosmosException e) {
      return e.getStatusCode();
    }
  }

  @Test
  void uniqueKeyHoldsWithinItsPartitionKey() {
    var policy =
        new UniqueKeyPolicy()
            .setUniqueKeys(List.of(new UniqueKey(List.of("/name/first", "/name/last"))));
    CosmosContainer unique =
        account.container(
            new CosmosContainerProperties(SharedServer.freshName("coll"), "/pk")
                .setUniqueKeyPolicy(policy));
    unique.createItem(named("a", "p", "Ada", "Lovelace"));
    violated(() -> unique.createItem(named("b", "p", "Ada", "Lovelace")));
    assertEquals(201, unique.createItem(named("b", "p", "Ada", "Byron")).getStatusCode());
    assertEquals(201, unique.createItem(named("b", "q", "Ada", "Lovelace")).getStatusCode());
    violated(() -> unique.upsertItem(named("b", "p", "Ada", "Lovelace")));
    violated(
        () ->
            unique.replaceItem(
                named("b", "p", "Ada", "Lovelace"),
                "b",
                Items.key("p"),
                new CosmosItemRequestOptions()));
    violated(
        () ->
            unique.patchItem(
                "b",
                Items.key("p"),
                CosmosPatchOperations.create().set("/name/last", "Lovelace"),
                ObjectNode.class));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(Items.key("p"));
    batch.deleteItemOperation("b");
    batch.createItemOperation(named("c", "p", "Ada", "Lovelace"));
    assertEquals(
        List.of(424, 409),
        unique.executeCosmosBatch(batch).getResults().stream()
            .map(CosmosBatchOperationResult::getStatusCode)
            .toList());
    // Writing an item again does not clash with itself, and a deleted one frees its names.
    assertEquals(200, unique.upsertItem(named("a", "p", "Ada", "Lovelace")).getStatusCode());
    unique.deleteItem("a", Items.key("p"), new CosmosItemRequestOptions());
    assertEquals(201, unique.createItem(named("c", "p", "Ada", "Lovelace")).getStatusCode());
  }

  private static void violated(Executable call) {
    String message = String.valueOf(JavaAccount.refused(409, 0, call).getMessage());
    assertTrue(message.contains(RestUniqueKeysTest.VIOLATION), message);
  }

  private static ObjectNode named(String id, String key, String first, String last) {
    ObjectNode item = Items.item(id, key);
    item.putObject("name").put("first", first).put("last", last);
    return item;
  }
}
