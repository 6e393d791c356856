package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tables and entities through the Java SDK. */
@EveryDeployment
class JavaTablesTest {
  private final Deployment deployment;
  private final TableServiceClient service;

  JavaTablesTest(Deployment deployment) {
    this.deployment = deployment;
    this.service = JavaTables.service(deployment);
  }

  private TableClient table() {
    return JavaTables.table(deployment);
  }

  private static TableEntity entity(String partitionKey, String rowKey, Object... properties) {
    var entity = new TableEntity(partitionKey, rowKey);
    for (int i = 0; i < properties.length; i += 2) {
      entity.addProperty((String) properties[i], properties[i + 1]);
    }
    return entity;
  }

  @Test
  void tablesAreMadeListedAndTakenAway() {
    String name = JavaTables.freshName();
    service.createTable(name);
    JavaTables.refused(409, "TableAlreadyExists", () -> service.createTable(name));
    service.createTableIfNotExists(name);
    var options = new ListTablesOptions().setFilter("TableName eq '" + name + "'");
    assertEquals(
        List.of(name),
        service.listTables(options, null, null).stream().map(TableItem::getName).toList());
    service.deleteTable(name);
    assertEquals(0, service.listTables(options, null, null).stream().count());
    JavaTables.refused(400, "InvalidResourceName", () -> service.createTable("1abc"));
  }

  @Test
  void listOfTablesGoesOnFromPageToPage() {
    String start = "paged" + System.nanoTime();
    List<String> names = IntStream.range(0, 5).mapToObj(i -> start + i).toList();
    names.forEach(service::createTable);
    var options =
        new ListTablesOptions()
            .setTop(2)
            .setFilter("TableName ge '" + start + "' and TableName lt '" + start + "9'");
    var found = new ArrayList<String>();
    service
        .listTables(options, null, null)
        .iterableByPage()
        .forEach(page -> page.getValue().forEach(item -> found.add(item.getName())));
    assertEquals(names, found.stream().sorted().toList());
  }

  @Test
  void everyTypeComesBackAsItWas() {
    TableClient table = table();
    UUID guid = UUID.randomUUID();
    OffsetDateTime time = OffsetDateTime.parse("2024-02-29T12:34:56.1234567Z");
    byte[] bytes = {0, 1, -1, 127, -128};
    table.createEntity(
        entity(
            "p",
            "types",
            "text",
            "台北 \"q\" \\ \n",
            "whole",
            42,
            "large",
            9007199254740993L,
            "half",
            1.5,
            "wholeDouble",
            5.0,
            "yes",
            true,
            "time",
            time,
            "guid",
            guid,
            "bytes",
            bytes,
            "empty",
            ""));
    Map<String, Object> read = table.getEntity("p", "types").getProperties();
    assertEquals("台北 \"q\" \\ \n", read.get("text"));
    assertEquals(42, read.get("whole"));
    assertEquals(9007199254740993L, read.get("large"));
    assertEquals(1.5, read.get("half"));
    assertEquals(5.0, read.get("wholeDouble"));
    assertEquals(true, read.get("yes"));
    assertEquals(time, read.get("time"));
    assertEquals(guid, read.get("guid"));
    assertArrayEquals(bytes, (byte[]) read.get("bytes"));
    assertEquals("", read.get("empty"));
  }

  @Test
  void doublesOfAllSortsComeBack() {
    TableClient table = table();
    List<Double> values =
        List.of(-0.0, 1e21, Double.MIN_VALUE, Double.MAX_VALUE, 9007199254740992.0);
    for (int i = 0; i < values.size(); i++) {
      table.createEntity(entity("p", "r" + i, "d", values.get(i)));
      assertEquals(values.get(i), table.getEntity("p", "r" + i).getProperty("d"));
    }
    assertEquals(List.of("r1", "r3", "r4"), rows(table, "d gt 100.0", 0));
    // The SDK sends what is no number as text without a type, so texts are what it gets back.
    for (double value : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      table.upsertEntity(entity("p", "special", "d", value));
      assertEquals(Double.toString(value), table.getEntity("p", "special").getProperty("d"));
    }
  }

  @Test
  void keysOfAllSortsAreFoundAgain() {
    TableClient table = table();
    for (String key : List.of("", " ", "  a", "quote ' and %41", "台北", "a+b&c=d")) {
      table.createEntity(entity(key, key, "is", key));
      assertEquals(key, table.getEntity(key, key).getProperty("is"));
      assertEquals(key, table.getEntity(key, key).getRowKey());
      table.deleteEntity(key, key);
      JavaTables.refused(404, "ResourceNotFound", () -> table.getEntity(key, key));
    }
    JavaTables.refused(400, "OutOfRangeInput", () -> table.createEntity(entity("a#b", "c")));
  }

  @Test
  void replaceAndMergeDifferInWhatTheyKeep() {
    TableClient table = table();
    table.createEntity(entity("p", "r", "a", 1, "b", 2));
    JavaTables.refused(
        409, "EntityAlreadyExists", () -> table.createEntity(entity("p", "r", "a", 1)));
    table.updateEntity(entity("p", "r", "b", 3, "c", 4), TableEntityUpdateMode.MERGE);
    assertEquals(1, table.getEntity("p", "r").getProperty("a"));
    assertEquals(3, table.getEntity("p", "r").getProperty("b"));
    table.updateEntity(entity("p", "r", "c", 5), TableEntityUpdateMode.REPLACE);
    assertNull(table.getEntity("p", "r").getProperty("a"));
    assertEquals(5, table.getEntity("p", "r").getProperty("c"));
    table.upsertEntity(entity("p", "new", "a", 1));
    table.upsertEntity(entity("p", "new", "b", 1));
    assertEquals(1, table.getEntity("p", "new").getProperty("a"));
    JavaTables.refused(
        404, "ResourceNotFound", () -> table.updateEntity(entity("p", "none", "a", 1)));
  }

  @Test
  void changesHoldToTheVersionThatTheClientKnows() {
    TableClient table = table();
    table.createEntity(entity("p", "r", "n", 1));
    TableEntity known = table.getEntity("p", "r");
    TableEntity change = table.getEntity("p", "r").addProperty("n", 2);
    table.updateEntityWithResponse(change, TableEntityUpdateMode.MERGE, true, null, null);
    assertNotEquals(known.getETag(), table.getEntity("p", "r").getETag());
    JavaTables.refused(
        412,
        "UpdateConditionNotSatisfied",
        () ->
            table.updateEntityWithResponse(known, TableEntityUpdateMode.REPLACE, true, null, null));
    JavaTables.refused(
        412,
        "UpdateConditionNotSatisfied",
        () -> table.deleteEntityWithResponse(known, true, null, null));
    table.deleteEntityWithResponse(table.getEntity("p", "r"), true, null, null);
    JavaTables.refused(404, "ResourceNotFound", () -> table.getEntity("p", "r"));
  }

  private static List<String> rows(TableClient table, @Nullable String filter, int top) {
    var options = new ListEntitiesOptions().setFilter(filter);
    if (top > 0) {
      options.setTop(top);
    }
    var rows = new ArrayList<String>();
    table
        .listEntities(options, null, null)
        .iterableByPage()
        .forEach(page -> page.getValue().forEach(entity -> rows.add(entity.getRowKey())));
    return rows;
  }

  @Test
  void rowsComeInTheOrderOfTheirKeysFromPageToPage() {
    TableClient table = table();
    for (int i = 19; i >= 0; i--) {
      table.createEntity(entity("p" + i % 4, String.format("%03d", i), "n", i, "even", i % 2 == 0));
    }
    assertEquals(
        List.of("001", "005", "009", "013", "017"), rows(table, "PartitionKey eq 'p1'", 2));
    assertEquals(
        List.of("005", "009"),
        rows(table, "PartitionKey eq 'p1' and RowKey gt '001' and RowKey le '009'", 0));
    assertEquals(List.of("007"), rows(table, "PartitionKey eq 'p3' and RowKey eq '007'", 0));
    assertEquals(20, rows(table, null, 3).size());
    assertEquals(rows(table, null, 0), rows(table, null, 3));
    assertEquals(List.of("000", "004", "008"), rows(table, "n lt 10 and PartitionKey eq 'p0'", 0));
    assertEquals(10, rows(table, "even eq true", 0).size());
    assertEquals(10, rows(table, "not even", 0).size());
  }

  @Test
  void filtersKnowEveryType() {
    TableClient table = table();
    UUID guid = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
    OffsetDateTime time = OffsetDateTime.parse("2024-01-01T00:00:00.0000001Z");
    table.createEntity(
        entity("p", "1", "s", "it's", "i", 5, "l", 6000000000L, "d", 2.5, "b", true, "t", time));
    table.createEntity(entity("q", "2", "g", guid, "x", new byte[] {1, -1}));
    for (String filter :
        List.of(
            "s eq 'it''s'",
            "s gt 'it' and s lt 'iu'",
            "i eq 5",
            "5 eq i",
            "i ge 5 and i lt 6",
            "i eq 5L",
            "l eq 6000000000L",
            "l gt 5999999999L and l le 6000000000L",
            "d eq 2.5",
            "d gt 2.4 and d lt 3",
            "b eq true",
            "b",
            "not (b eq false) and b ne false",
            "t eq datetime'2024-01-01T00:00:00.0000001Z'",
            "t gt datetime'2024-01-01T00:00:00Z'",
            "s ne 'other'",
            "(s eq 'a' or i eq 5) and not (i eq 6)",
            "Timestamp gt datetime'2020-01-01T00:00:00Z' and PartitionKey eq 'p'")) {
      assertEquals(List.of("1"), rows(table, filter, 0), filter);
    }
    for (String filter :
        List.of(
            "g eq guid'0f8fad5b-d9cb-469f-a165-70867728950e'",
            "x eq X'01ff'",
            "x eq binary'01FF'",
            "not (i eq 5)",
            "not (s eq 'it''s') and PartitionKey ge 'a'")) {
      assertEquals(List.of("2"), rows(table, filter, 0), filter);
    }
    for (String filter : List.of("s eq 5", "i eq '5'", "missing eq 1", "missing ne 1", "i gt 5")) {
      assertEquals(List.of(), rows(table, filter, 0), filter);
    }
    JavaTables.refusedPage(400, "InvalidInput", () -> rows(table, "s eq", 0));
    JavaTables.refusedPage(400, "InvalidInput", () -> rows(table, "s is 'a'", 0));
  }

  @Test
  void onlySelectedPropertiesAreTold() {
    TableClient table = table();
    table.createEntity(entity("p", "r", "a", 1, "b", 2));
    var options = new ListEntitiesOptions().setSelect(List.of("a", "RowKey"));
    TableEntity told = table.listEntities(options, null, null).iterator().next();
    assertEquals(1, told.getProperty("a"));
    assertNull(told.getProperty("b"));
    assertEquals("r", told.getRowKey());
  }

  @Test
  void transactionHappensAsAWholeOrNotAtAll() {
    TableClient table = table();
    table.createEntity(entity("p", "there", "n", 1));
    var actions = new ArrayList<TableTransactionAction>();
    for (int i = 0; i < 97; i++) {
      actions.add(
          new TableTransactionAction(
              TableTransactionActionType.CREATE, entity("p", "new" + i, "n", i)));
    }
    actions.add(
        new TableTransactionAction(
            TableTransactionActionType.UPSERT_MERGE, entity("p", "merged", "n", 1)));
    actions.add(
        new TableTransactionAction(
            TableTransactionActionType.UPDATE_REPLACE, entity("p", "there", "m", 2)));
    var done = table.submitTransaction(actions);
    assertEquals(99, done.getTransactionActionResponses().size());
    assertTrue(
        done.getTransactionActionResponses().stream().allMatch(r -> r.getStatusCode() == 204));
    assertEquals(99, rows(table, "PartitionKey eq 'p'", 0).size());
    var failing =
        List.of(
            new TableTransactionAction(TableTransactionActionType.DELETE, entity("p", "merged")),
            new TableTransactionAction(
                TableTransactionActionType.CREATE, entity("p", "there", "n", 1)));
    var failure =
        assertThrows(TableTransactionFailedException.class, () -> table.submitTransaction(failing));
    assertEquals(1, failure.getFailedTransactionActionIndex());
    assertEquals(99, rows(table, "PartitionKey eq 'p'", 0).size());
  }
}
