package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every form of partition key through the Java SDK. */
@EveryDeployment
class JavaPartitionKeysTest {
  private static final CosmosItemRequestOptions NONE = new CosmosItemRequestOptions();
  private final JavaAccount account;

  JavaPartitionKeysTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
  }

  /** Takes an item through its life, with its key given and with its key found by the SDK. */
  private static void live(CosmosContainer container, ObjectNode item, PartitionKey key) {
    String id = item.get("id").asText();
    assertEquals(201, container.createItem(item, key, NONE).getStatusCode());
    assertEquals(item, Items.own(container.readItem(id, key, ObjectNode.class).getItem()));
    assertEquals(200, container.replaceItem(item.put("n", 1), id, key, NONE).getStatusCode());
    assertEquals(200, container.upsertItem(item.put("n", 2)).getStatusCode());
    assertEquals(2, container.readItem(id, key, ObjectNode.class).getItem().get("n").asInt());
    assertEquals(204, container.deleteItem(id, key, NONE).getStatusCode());
    assertEquals(201, container.createItem(item).getStatusCode());
    assertEquals(200, container.readItem(id, key, ObjectNode.class).getStatusCode());
  }

  private CosmosContainer container(PartitionKeyDefinitionVersion version) {
    var definition = new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(version);
    return account.container(
        new CosmosContainerProperties(SharedServer.freshName("coll"), definition));
  }

  @ParameterizedTest
  @EnumSource(PartitionKeyDefinitionVersion.class)
  void valuesOfEveryTypeAreKeys(PartitionKeyDefinitionVersion version) {
    CosmosContainer container = container(version);
    live(container, Items.parse("{\"id\":\"s\",\"pk\":\"text\"}"), Items.key("text"));
    live(container, Items.parse("{\"id\":\"e\",\"pk\":\"\"}"), Items.key(""));
    live(container, Items.parse("{\"id\":\"u\",\"pk\":\"台北市 😀\"}"), Items.key("台北市 😀"));
    live(container, Items.parse("{\"id\":\"i\",\"pk\":5}"), Items.key(5));
    live(container, Items.parse("{\"id\":\"d\",\"pk\":-12.75}"), Items.key(-12.75));
    live(container, Items.parse("{\"id\":\"b\",\"pk\":10000000000}"), Items.key(1e10));
    live(container, Items.parse("{\"id\":\"z\",\"pk\":0}"), Items.key(0));
    live(container, Items.parse("{\"id\":\"t\",\"pk\":true}"), Items.key(true));
    live(container, Items.parse("{\"id\":\"f\",\"pk\":false}"), Items.key(false));
    live(
        container,
        Items.parse("{\"id\":\"n\",\"pk\":null}"),
        PartitionKey.fromObjectArray(new Object[] {null}, true));
    live(container, Items.parse("{\"id\":\"m\"}"), PartitionKey.NONE);
    String longest = "k".repeat(2000);
    live(container, Items.item("l", longest), Items.key(longest));
  }

  @Test
  void undefinedNullAndTextAreDifferentKeys() {
    CosmosContainer container = account.container("/pk");
    container.createItem(Items.parse("{\"id\":\"a\"}"));
    container.createItem(Items.parse("{\"id\":\"a\",\"pk\":null}"));
    container.createItem(Items.parse("{\"id\":\"a\",\"pk\":\"null\"}"));
    container.createItem(Items.parse("{\"id\":\"a\",\"pk\":1}"));
    container.createItem(Items.parse("{\"id\":\"a\",\"pk\":\"1\"}"));
    JavaAccount.refused(
        409, 0, () -> container.createItem(Items.parse("{\"id\":\"a\",\"pk\":1.0}")));
  }

  @Test
  void nestedAndQuotedPathsLeadToTheKey() {
    live(
        account.container("/properties/name"),
        Items.parse("{\"id\":\"a\",\"properties\":{\"name\":\"x\"}}"),
        Items.key("x"));
    live(
        account.container("/\"department name\""),
        Items.parse("{\"id\":\"a\",\"department name\":\"x\"}"),
        Items.key("x"));
  }

  @Test
  void hierarchicalKeysWork() {
    CosmosContainer container = account.container("/tenant", "/user", "/session");
    live(
        container,
        Items.parse("{\"id\":\"a\",\"tenant\":\"t\",\"user\":5,\"session\":true}"),
        new PartitionKeyBuilder().add("t").add(5).add(true).build());
    live(
        container,
        Items.parse("{\"id\":\"a\",\"tenant\":\"t\",\"user\":null,\"session\":null}"),
        PartitionKey.fromObjectArray(new Object[] {"t", null, null}, true));
  }

  @Test
  void partOfAHierarchicalKeyIsRefused() {
    CosmosContainer container = account.container("/tenant", "/user");
    ObjectNode item = Items.parse("{\"id\":\"a\",\"tenant\":\"t\",\"user\":\"u\"}");
    PartitionKey part = new PartitionKeyBuilder().add("t").build();
    JavaAccount.refused(400, 1001, () -> container.createItem(item, part, NONE));
    JavaAccount.refused(400, 1001, () -> container.readItem("a", part, ObjectNode.class));
  }

  @Test
  void keyThatDiffersFromTheItemIsRefused() {
    CosmosContainer container = account.container("/pk");
    ObjectNode item = Items.item("a", "p");
    var refusal =
        JavaAccount.refused(400, 1001, () -> container.createItem(item, Items.key("q"), NONE));
    assertTrue(
        refusal.getShortMessage().contains("PartitionKey extracted from document"),
        refusal::getMessage);
    container.createItem(item);
    JavaAccount.refused(
        400, 1001, () -> container.replaceItem(Items.item("a", "q"), "a", Items.key("p"), NONE));
    JavaAccount.refused(400, 1001, () -> container.upsertItem(item, PartitionKey.NONE, NONE));
  }
}
