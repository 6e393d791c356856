package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items through the Java SDK: create, read, replace, upsert, delete. */
@EveryDeployment
class JavaItemsTest {
  private static final CosmosItemRequestOptions NONE = new CosmosItemRequestOptions();
  private final CosmosContainer container;
  private final Deployment deployment;

  JavaItemsTest(Deployment deployment) {
    this.container = JavaAccount.of(deployment).container("/pk");
    this.deployment = deployment;
  }

  private ObjectNode read(String id, String key) {
    return container.readItem(id, Items.key(key), ObjectNode.class).getItem();
  }

  @Test
  void createdIsReadBack() {
    ObjectNode item =
        Items.parse(
            """
            {"id":"a","pk":"p","text":"台北 \\"q\\" \\\\ \\n","number":1.5,"big":9007199254740993,
             "yes":true,"nothing":null,"list":[1,"b",{"c":[]}],"nested":{"d":{"e":"f"}}}
            """);
    CosmosItemResponse<ObjectNode> created = container.createItem(item);
    assertEquals(201, created.getStatusCode());
    assertEquals(item, Items.own(created.getItem()));
    CosmosItemResponse<ObjectNode> read = container.readItem("a", Items.key("p"), ObjectNode.class);
    assertEquals(200, read.getStatusCode());
    assertEquals(created.getItem(), read.getItem());
    assertEquals(item, Items.own(read.getItem()));
    assertEquals(read.getETag(), read.getItem().get("_etag").asText());
    var names = new ArrayList<String>();
    read.getItem().fieldNames().forEachRemaining(names::add);
    assertEquals(Items.SYSTEM, names.subList(names.size() - 5, names.size()));
  }

  @Test
  void itemsOfManyKeysAreFoundAgain() {
    for (int i = 0; i < 40; i++) {
      container.createItem(Items.item("same id", "key " + i).put("n", i));
    }
    for (int i = 0; i < 40; i++) {
      assertEquals(i, read("same id", "key " + i).get("n").asInt());
    }
  }

  @Test
  void existingIdIsRefusedWithinItsKeyOnly() {
    container.createItem(Items.item("a", "p"));
    JavaAccount.refused(409, 0, () -> container.createItem(Items.item("a", "p")));
    assertEquals(201, container.createItem(Items.item("a", "q")).getStatusCode());
  }

  @Test
  void replacedKeepsItsRidAndGetsANewEtag() {
    ObjectNode before = container.createItem(Items.item("a", "p").put("n", 1)).getItem();
    CosmosItemResponse<ObjectNode> replaced =
        container.replaceItem(Items.item("a", "p").put("n", 2), "a", Items.key("p"), NONE);
    assertEquals(200, replaced.getStatusCode());
    ObjectNode after = read("a", "p");
    assertEquals(replaced.getItem(), after);
    assertEquals(2, after.get("n").asInt());
    assertEquals(before.get("_rid"), after.get("_rid"));
    assertEquals(before.get("_self"), after.get("_self"));
    assertNotEquals(before.get("_etag"), after.get("_etag"));
  }

  @Test
  void replaceCanRename() {
    container.createItem(Items.item("a", "p"));
    container.replaceItem(Items.item("b", "p"), "a", Items.key("p"), NONE);
    assertEquals("b", read("b", "p").get("id").asText());
    JavaAccount.refused(404, 0, () -> read("a", "p"));
  }

  @Test
  void upsertCreatesThenReplaces() {
    assertEquals(201, container.upsertItem(Items.item("a", "p").put("n", 1)).getStatusCode());
    assertEquals(200, container.upsertItem(Items.item("a", "p").put("n", 2)).getStatusCode());
    assertEquals(2, read("a", "p").get("n").asInt());
  }

  @Test
  void deletedIsGone() {
    container.createItem(Items.item("a", "p"));
    CosmosItemResponse<Object> deleted = container.deleteItem("a", Items.key("p"), NONE);
    assertEquals(204, deleted.getStatusCode());
    JavaAccount.refused(404, 0, () -> read("a", "p"));
    JavaAccount.refused(404, 0, () -> container.deleteItem("a", Items.key("p"), NONE));
    assertEquals(201, container.createItem(Items.item("a", "p")).getStatusCode());
  }

  @Test
  void missingItemsAreNotFound() {
    JavaAccount.refused(404, 0, () -> read("a", "p"));
    JavaAccount.refused(
        404, 0, () -> container.replaceItem(Items.item("a", "p"), "a", Items.key("p"), NONE));
  }

  @Test
  void deleteByPartitionKeyHidesThatKeyOnly() {
    for (int i = 0; i < 5; i++) {
      container.createItem(Items.item("i" + i, "doomed"));
      container.createItem(Items.item("i" + i, "kept"));
    }
    assertEquals(
        200, container.deleteAllItemsByPartitionKey(Items.key("doomed"), NONE).getStatusCode());
    for (int i = 0; i < 5; i++) {
      String id = "i" + i;
      JavaAccount.refused(404, 0, () -> read(id, "doomed"));
      assertEquals("kept", read(id, "kept").get("pk").asText());
    }
    assertEquals(201, container.createItem(Items.item("i0", "doomed")).getStatusCode());
    assertEquals("doomed", read("i0", "doomed").get("pk").asText());
  }

  @Test
  void withoutContentTheAnswerHasEtagAndChargeOnly() {
    var quiet = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(false);
    CosmosItemResponse<ObjectNode> created =
        container.createItem(Items.item("a", "p"), Items.key("p"), quiet);
    assertEquals(201, created.getStatusCode());
    assertNull(created.getItem());
    assertEquals(created.getETag(), read("a", "p").get("_etag").asText());
    assertTrue(created.getRequestCharge() > 0);
    CosmosItemResponse<ObjectNode> replaced =
        container.replaceItem(Items.item("a", "p").put("n", 1), "a", Items.key("p"), quiet);
    assertNull(replaced.getItem());
    assertNotEquals(created.getETag(), replaced.getETag());
    CosmosItemResponse<ObjectNode> upserted =
        container.upsertItem(Items.item("a", "p").put("n", 2), Items.key("p"), quiet);
    assertEquals(200, upserted.getStatusCode());
    assertNull(upserted.getItem());
    assertEquals(2, read("a", "p").get("n").asInt());
  }

  @Test
  void generatedAndLongIdsWork() {
    String id = "x".repeat(255);
    container.createItem(Items.item(id, "p"));
    assertEquals(id, read(id, "p").get("id").asText());
    JavaAccount.refused(400, 0, () -> container.createItem(Items.item("x".repeat(256), "p")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"with space", "Straße", "台北市", "a+b", "a%20b", "😀", "a.b:c@d=e&f;g"})
  void unusualIdsWork(String id) {
    container.createItem(Items.item(id, "p"));
    assertEquals(id, read(id, "p").get("id").asText());
    assertEquals(204, container.deleteItem(id, Items.key("p"), NONE).getStatusCode());
  }

  @Test
  void largestItemIsTakenAndLargerIsRefused() {
    int limit = 2 * 1024 * 1024;
    ObjectNode large = Items.item("a", "p").put("text", "x".repeat(limit - 1024));
    assertEquals(201, container.createItem(large).getStatusCode());
    assertEquals(large, Items.own(read("a", "p")));
    ObjectNode larger = Items.item("b", "p").put("text", "x".repeat(limit));
    JavaAccount.refused(413, 0, () -> container.createItem(larger));
    JavaAccount.refused(404, 0, () -> read("b", "p"));
  }

  @Test
  void systemPropertiesOfTheClientAreOverwritten() {
    ObjectNode item = Items.item("a", "p").put("_rid", "mine").put("_etag", "mine").put("_ts", 1);
    ObjectNode created = container.createItem(item).getItem();
    assertNotEquals("mine", created.get("_rid").asText());
    assertNotEquals("mine", created.get("_etag").asText());
    assertTrue(created.get("_ts").asLong() > 1_700_000_000L);
    // What was read may be written again as it is.
    ObjectNode again = container.replaceItem(created, "a", Items.key("p"), NONE).getItem();
    assertEquals(created.get("_rid"), again.get("_rid"));
  }

  @Test
  void missingContainerIsTold() {
    CosmosContainer missing =
        JavaAccount.of(deployment).database().getContainer(SharedServer.freshName("missing"));
    JavaAccount.refused(404, 1003, () -> missing.readItem("a", Items.key("p"), ObjectNode.class));
  }

  @Test
  void ridsAreDistinctAcrossPartitions() {
    var rids = new HashSet<String>();
    for (int i = 0; i < 20; i++) {
      rids.add(container.createItem(Items.item("a", "k" + i)).getItem().get("_rid").asText());
    }
    assertEquals(20, rids.size());
    assertEquals(List.of(24), rids.stream().map(String::length).distinct().toList());
  }
}
