package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Transactional batches and bulk of the Java SDK. */
@OneAndFiveRanges
class JavaBatchTest {
  private final CosmosContainer container;

  JavaBatchTest(Deployment deployment) {
    container = JavaAccount.of(deployment).container("/pk");
  }

  private static CosmosBatch batch() {
    return CosmosBatch.createCosmosBatch(Items.key("p"));
  }

  private static List<Integer> statuses(CosmosBatchResponse response) {
    return response.getResults().stream().map(CosmosBatchOperationResult::getStatusCode).toList();
  }

  @Test
  void allKindsOfOperationsHappenTogether() {
    container.createItem(Items.item("old", "p").put("n", 1));
    container.createItem(Items.item("gone", "p"));
    CosmosBatch batch = batch();
    batch.createItemOperation(Items.item("a", "p").put("n", 1));
    batch.upsertItemOperation(Items.item("b", "p"));
    batch.replaceItemOperation("old", Items.item("old", "p").put("n", 2));
    batch.patchItemOperation("a", CosmosPatchOperations.create().increment("/n", 4));
    batch.readItemOperation("a");
    batch.deleteItemOperation("gone");
    CosmosBatchResponse response = container.executeCosmosBatch(batch);
    assertTrue(response.isSuccessStatusCode(), response::getErrorMessage);
    assertEquals(List.of(201, 201, 200, 200, 200, 204), statuses(response));
    assertEquals(5, response.getResults().get(4).getItem(ObjectNode.class).get("n").asInt());
    assertTrue(response.getRequestCharge() > 20);
    assertEquals(
        5, container.readItem("a", Items.key("p"), JsonNode.class).getItem().get("n").asInt());
    JavaAccount.refused(404, 0, () -> container.readItem("gone", Items.key("p"), JsonNode.class));
  }

  @Test
  void nothingHappensWhenOneFails() {
    container.createItem(Items.item("taken", "p"));
    CosmosBatch batch = batch();
    batch.createItemOperation(Items.item("a", "p"));
    batch.createItemOperation(Items.item("taken", "p"));
    batch.deleteItemOperation("taken");
    CosmosBatchResponse response = container.executeCosmosBatch(batch);
    assertFalse(response.isSuccessStatusCode());
    assertEquals(409, response.getStatusCode());
    assertEquals(List.of(424, 409, 424), statuses(response));
    JavaAccount.refused(404, 0, () -> container.readItem("a", Items.key("p"), JsonNode.class));
  }

  @Test
  void etagsAreConditionsOfABatch() {
    String etag = container.createItem(Items.item("a", "p").put("n", 1)).getETag();
    container.upsertItem(Items.item("a", "p").put("n", 2));
    CosmosBatch batch = batch();
    batch.replaceItemOperation(
        "a",
        Items.item("a", "p").put("n", 3),
        new CosmosBatchItemRequestOptions().setIfMatchETag(etag));
    assertEquals(List.of(412), statuses(container.executeCosmosBatch(batch)));
  }

  @Test
  void bulkSpreadsOverTheRanges() {
    List<CosmosItemOperation> operations = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ObjectNode item = Items.item("i" + i, "k" + i % 50).put("n", i);
      operations.add(CosmosBulkOperations.getCreateItemOperation(item, Items.key("k" + i % 50)));
    }
    operations.add(CosmosBulkOperations.getReadItemOperation("missing", Items.key("k1")));
    Map<Integer, Integer> statuses = new TreeMap<>();
    container
        .executeBulkOperations(operations)
        .forEach(done -> statuses.merge(done.getResponse().getStatusCode(), 1, Integer::sum));
    assertEquals(Map.of(201, 500, 404, 1), statuses);
    long count =
        container.queryItems("SELECT VALUE COUNT(1) FROM c", null, Long.class).stream()
            .toList()
            .getFirst();
    assertEquals(500, count);
  }
}
