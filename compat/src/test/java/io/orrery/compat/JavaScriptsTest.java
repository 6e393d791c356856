package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureResponse;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stored procedures, triggers and functions of the Java SDK: the examples of the documentation. */
@EveryDeployment
class JavaScriptsTest {
  private final CosmosContainer container;

  JavaScriptsTest(Deployment deployment) {
    container = JavaAccount.of(deployment).container("/pk");
  }

  private void procedure(String id) {
    procedure(id, ScriptFiles.text(id));
  }

  private void procedure(String id, String body) {
    container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties(id, body));
  }

  private CosmosStoredProcedureResponse execute(String id, Object... arguments) {
    var options = new CosmosStoredProcedureRequestOptions();
    options.setPartitionKey(Items.key("p"));
    options.setScriptLoggingEnabled(true);
    return container.getScripts().getStoredProcedure(id).execute(List.of(arguments), options);
  }

  private CosmosException refused(int subStatus, String id, Object... arguments) {
    CosmosException refused = assertThrows(CosmosException.class, () -> execute(id, arguments));
    assertEquals(400, refused.getStatusCode(), refused::getMessage);
    assertEquals(subStatus, refused.getSubStatusCode(), refused::getMessage);
    return refused;
  }

  private static void assertSays(String text, CosmosException refused) {
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(text), message);
  }

  private int count() {
    return container
        .queryItems("SELECT VALUE COUNT(1) FROM c", new CosmosQueryRequestOptions(), Integer.class)
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  private ObjectNode read(String id) {
    return container.readItem(id, Items.key("p"), ObjectNode.class).getItem();
  }

  @Test
  void itemsAreImportedUntilAllAreThere() {
    procedure("bulkImport");
    List<ObjectNode> items = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      items.add(Items.item("i" + i, "p").put("text", "x".repeat(500)));
    }
    int done = 0;
    while (done < items.size()) {
      CosmosStoredProcedureResponse answer =
          execute("bulkImport", items.subList(done, items.size()));
      int created = Integer.parseInt(answer.getResponseAsString());
      assertTrue(created > 0);
      assertTrue(answer.getRequestCharge() > 5 * created, "" + answer.getRequestCharge());
      assertNotNull(answer.getSessionToken());
      done += created;
    }
    assertEquals(250, count());
  }

  @Test
  void anImportThatFailsLeavesNothingBehind() {
    procedure("bulkImport");
    container.createItem(Items.item("taken", "p"));
    CosmosException refused =
        refused(
            409,
            "bulkImport",
            List.of(Items.item("a", "p"), Items.item("b", "p"), Items.item("taken", "p")));
    assertSays("Item 2 was refused", refused);
    assertSays("bulkImport.js:", refused);
    assertEquals(1, count());
    refused(400, "bulkImport", List.of(Items.item("a", "another key")));
    assertEquals(1, count());
  }

  @Test
  void itemsAreDeletedUntilNoneIsLeft() {
    procedure("bulkDelete");
    for (int i = 0; i < 120; i++) {
      container.createItem(Items.item("i" + i, "p").put("old", i % 3 != 0));
    }
    int deleted = 0;
    JsonNode answer;
    do {
      answer =
          Items.parse(execute("bulkDelete", "SELECT * FROM c WHERE c.old").getResponseAsString());
      deleted += answer.get("deleted").asInt();
    } while (answer.get("continuation").asBoolean());
    assertEquals(80, deleted);
    assertEquals(40, count());
  }

  @Test
  void twoItemsAreSwappedOrNone() {
    procedure("swapItems");
    container.createItem(Items.item("ann", "p").put("item", "sword"));
    container.createItem(Items.item("bob", "p").put("item", "shield"));
    String said = execute("swapItems", "ann", "bob").getResponseAsString();
    assertEquals(Items.parse("{\"ann\":\"shield\",\"bob\":\"sword\"}"), Items.parse(said));
    assertEquals("shield", read("ann").get("item").asText());
    assertEquals("sword", read("bob").get("item").asText());
    CosmosException refused = refused(404, "swapItems", "ann", "carl");
    assertSays("There is no player carl", refused);
    assertEquals("shield", read("ann").get("item").asText());
  }

  @Test
  void anErrorAfterAWriteRollsBack() {
    procedure(
        "half",
        """
        function half() {
          __.createDocument(__.getSelfLink(), {id: 'half', pk: 'p'}, () => { throw new Error('no'); });
        }
        """);
    CosmosException refused = refused(0, "half");
    assertSays("Exception = Error: no", refused);
    assertEquals(0, count());
  }

  @Test
  void theConsoleComesBackWhenAskedFor() {
    procedure("talk", "function talk(name) { console.log('hello ' + name + ' ä'); }");
    CosmosStoredProcedureResponse answer = execute("talk", "world");
    assertEquals("hello world ä", answer.getScriptLog());
    assertEquals("\"\"", answer.getResponseAsString());
  }

  @Test
  void aScriptThatDoesNotEndIsStopped() {
    procedure("endless", "function endless() { while (true); }");
    CosmosException refused = assertThrows(CosmosException.class, () -> execute("endless"));
    assertEquals(408, refused.getStatusCode());
    procedure("broken", "function broken( {");
    refused(65535, "broken");
  }

  private void trigger(String id, TriggerType type, TriggerOperation operation) {
    var properties = new CosmosTriggerProperties(id, ScriptFiles.text(id));
    properties.setTriggerType(type);
    properties.setTriggerOperation(operation);
    container.getScripts().createTrigger(properties);
  }

  @Test
  void aPreTriggerValidatesAndStamps() {
    trigger("validateTimestamp", TriggerType.PRE, TriggerOperation.CREATE);
    var options = new CosmosItemRequestOptions();
    options.setPreTriggerInclude(List.of("validateTimestamp"));
    ObjectNode created =
        container
            .createItem(Items.item("a", "p").put("name", "x"), Items.key("p"), options)
            .getItem();
    assertTrue(created.get("timestamp").asLong() > 0);
    assertEquals(created, read("a"));
    CosmosException refused =
        assertThrows(
            CosmosException.class,
            () -> container.createItem(Items.item("b", "p"), Items.key("p"), options));
    assertEquals(400, refused.getStatusCode());
    assertSays("An item needs a name", refused);
    JavaAccount.refused(
        400,
        0,
        () -> container.upsertItem(Items.item("a", "p").put("name", 1), Items.key("p"), none()));
  }

  private static CosmosItemRequestOptions none() {
    var options = new CosmosItemRequestOptions();
    options.setPreTriggerInclude(List.of("missing"));
    return options;
  }

  @Test
  void aPostTriggerIsPartOfTheTransaction() {
    trigger("updateMetadata", TriggerType.POST, TriggerOperation.ALL);
    var options = new CosmosItemRequestOptions();
    options.setPostTriggerInclude(List.of("updateMetadata"));
    CosmosException refused =
        assertThrows(
            CosmosException.class,
            () ->
                container.createItem(
                    Items.item("a", "p").put("name", "first"), Items.key("p"), options));
    assertEquals(404, refused.getSubStatusCode(), refused::getMessage);
    assertEquals(0, count());
    ObjectNode metadata = Items.item("_metadata", "p").put("count", 0);
    metadata.putArray("names");
    container.createItem(metadata);
    container.createItem(Items.item("a", "p").put("name", "first"), Items.key("p"), options);
    container.createItem(Items.item("b", "p").put("name", "second"), Items.key("p"), options);
    assertEquals(2, read("_metadata").get("count").asInt());
    assertEquals("second", read("_metadata").get("names").get(1).asText());
  }

  @Test
  void aPostTriggerMayAnswerInItsOwnWords() {
    var answering =
        new CosmosTriggerProperties(
            "answering",
            "function () { const response = getContext().getResponse();"
                + " response.setBody({ id: response.getBody()?.id, seen: true }); }");
    answering.setTriggerType(TriggerType.POST).setTriggerOperation(TriggerOperation.ALL);
    container.getScripts().createTrigger(answering);
    var options = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(true);
    options.setPostTriggerInclude(List.of("answering"));
    var created = container.createItem(Items.item("a", "p"), Items.key("p"), options);
    assertEquals(201, created.getStatusCode());
    assertEquals("{\"id\":\"a\",\"seen\":true}", created.getItem().toString());
    assertEquals(read("a").get("_etag").asText(), created.getETag());
    container.deleteItem("a", Items.key("p"), options);
    assertEquals(0, count());
  }

  @Test
  void functionsAreCalledInQueries() {
    container
        .getScripts()
        .createUserDefinedFunction(
            new CosmosUserDefinedFunctionProperties("tax", ScriptFiles.text("tax")));
    for (int i = 0; i < 40; i++) {
      container.createItem(Items.item("i" + i, "k" + i % 7).put("income", 100 * i * i));
    }
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      double income = 100.0 * i * i;
      double tax = income < 1000 ? income * 0.1 : income < 10000 ? income * 0.2 : income * 0.4;
      if (tax > 20000) {
        expected.add(i);
      }
    }
    List<Integer> found =
        container
            .queryItems(
                "SELECT VALUE c.income FROM c WHERE udf.tax(c.income) > 20000 ORDER BY c.income",
                new CosmosQueryRequestOptions(),
                Integer.class)
            .stream()
            .map(income -> (int) Math.sqrt(income / 100.0))
            .toList();
    assertEquals(expected, found);
    List<Double> taxes =
        container
            .queryItems(
                "SELECT VALUE SUM(udf.tax(c.income)) FROM c WHERE c.income < 1000",
                new CosmosQueryRequestOptions(),
                Double.class)
            .stream()
            .toList();
    assertEquals(List.of(140.0), taxes);
    for (String bad :
        List.of(
            "SELECT * FROM c ORDER BY udf.tax(c.income)",
            "SELECT udf.none(c) FROM c",
            "SELECT udf.tax(c.missing) FROM c")) {
      CosmosException refused =
          assertThrows(
              CosmosException.class,
              () ->
                  container
                      .queryItems(bad, new CosmosQueryRequestOptions(), JsonNode.class)
                      .stream()
                      .count());
      assertEquals(400, refused.getStatusCode(), bad);
    }
  }
}
