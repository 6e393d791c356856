package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Patches through the Java SDK. */
@EveryDeployment
class JavaPatchTest {
  private final CosmosContainer container;

  JavaPatchTest(Deployment deployment) {
    container = JavaAccount.of(deployment).container("/pk");
  }

  private CosmosItemResponse<ObjectNode> patch(CosmosPatchOperations operations) {
    return container.patchItem("a", Items.key("p"), operations, ObjectNode.class);
  }

  /** Patches an item and returns what became of it, as answered and as read. */
  private JsonNode patched(String item, CosmosPatchOperations operations) {
    container.upsertItem(Items.parse(item));
    CosmosItemResponse<ObjectNode> response = patch(operations);
    assertEquals(200, response.getStatusCode());
    ObjectNode read = container.readItem("a", Items.key("p"), ObjectNode.class).getItem();
    assertEquals(read, response.getItem());
    return Items.own(read);
  }

  private static CosmosPatchOperations operations() {
    return CosmosPatchOperations.create();
  }

  @Test
  void addPutsMembersAndElements() {
    assertEquals(
        Items.parse("{'id':'a','pk':'p','list':[0,1,2,3],'x':{'y':[1]}}".replace('\'', '"')),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"list\":[1,2],\"x\":{}}",
            operations().add("/list/0", 0).add("/list/-", 3).add("/x/y", List.of(1))));
  }

  @Test
  void setReplacesOrAdds() {
    assertEquals(
        Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"n\":2,\"list\":[9,2],\"new\":null}"),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"n\":1,\"list\":[1,2]}",
            operations().set("/n", 2).set("/list/0", 9).set("/new", null)));
  }

  @Test
  void replaceNeedsAValueToReplace() {
    assertEquals(
        Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"n\":{\"m\":true}}"),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"n\":1}",
            operations().replace("/n", java.util.Map.of("m", true))));
    JavaAccount.refused(400, 0, () -> patch(operations().replace("/missing", 1)));
  }

  @Test
  void removeTakesMembersAndElements() {
    assertEquals(
        Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"list\":[1,3]}"),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"n\":1,\"list\":[1,2,3]}",
            operations().remove("/n").remove("/list/1")));
    JavaAccount.refused(400, 0, () -> patch(operations().remove("/missing")));
  }

  @Test
  void incrementCountsAndBegins() {
    assertEquals(
        Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"n\":7,\"d\":1.75,\"fresh\":3}"),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"n\":10,\"d\":1.5}",
            operations().increment("/n", -3).increment("/d", 0.25).increment("/fresh", 3)));
    JavaAccount.refused(400, 0, () -> patch(operations().increment("/id", 1)));
  }

  @Test
  void moveTakesAValueElsewhere() {
    assertEquals(
        Items.parse("{\"id\":\"a\",\"pk\":\"p\",\"z\":{\"y\":{\"n\":1}}}"),
        patched(
            "{\"id\":\"a\",\"pk\":\"p\",\"x\":{\"n\":1},\"z\":{}}",
            operations().move("/x", "/z/y")));
  }

  @Test
  void conditionDecides() {
    container.createItem(Items.item("a", "p").put("n", 1));
    var holds = new CosmosPatchItemRequestOptions().setFilterPredicate("from c where c.n = 1");
    assertEquals(
        2,
        container
            .patchItem("a", Items.key("p"), operations().set("/n", 2), holds, ObjectNode.class)
            .getItem()
            .get("n")
            .asInt());
    JavaAccount.refused(
        412,
        1110,
        () ->
            container.patchItem(
                "a", Items.key("p"), operations().set("/n", 3), holds, ObjectNode.class));
    assertEquals(
        2, container.readItem("a", Items.key("p"), ObjectNode.class).getItem().get("n").asInt());
  }

  @Test
  void etagDecides() {
    String stale = container.createItem(Items.item("a", "p").put("n", 1)).getETag();
    String fresh = patch(operations().set("/n", 2)).getETag();
    assertNotEquals(stale, fresh);
    var old = new CosmosPatchItemRequestOptions();
    old.setIfMatchETag(stale);
    JavaAccount.refused(
        412,
        0,
        () ->
            container.patchItem(
                "a", Items.key("p"), operations().set("/n", 3), old, ObjectNode.class));
  }

  @Test
  void failedPatchChangesNothing() {
    container.createItem(Items.item("a", "p").put("n", 1));
    JavaAccount.refused(400, 0, () -> patch(operations().set("/n", 2).replace("/missing/m", 1)));
    JavaAccount.refused(400, 0, () -> patch(operations().set("/pk", "q")));
    ObjectNode read = container.readItem("a", Items.key("p"), ObjectNode.class).getItem();
    assertEquals(Items.item("a", "p").put("n", 1), Items.own(read));
  }

  @Test
  void missingItemIsNotFound() {
    JavaAccount.refused(404, 0, () -> patch(operations().set("/n", 2)));
  }

  @Test
  void moreThanTenOperationsAreRefused() {
    container.createItem(Items.item("a", "p"));
    CosmosPatchOperations many = operations();
    for (int i = 0; i < 11; i++) {
      many.set("/n" + i, i);
    }
    JavaAccount.refused(400, 0, () -> patch(many));
  }

  @Test
  void withoutContentTheAnswerHasNoBody() {
    container.createItem(Items.item("a", "p"));
    var quiet = new CosmosPatchItemRequestOptions();
    quiet.setContentResponseOnWriteEnabled(false);
    var response =
        container.patchItem(
            "a", Items.key("p"), operations().set("/n", 1), quiet, ObjectNode.class);
    assertEquals(200, response.getStatusCode());
    assertEquals(null, response.getItem());
  }
}
