package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A table while its partitions split, and as the other API and operators see it. */
class TableSplitTest {
  private static final int KEYS = 40;

  private final TableClient table =
      JavaTables.service(SharedServer.server().tableEndpoint("http").toString(), 10_000)
          .createTable(JavaTables.freshName());

  @Test
  void pagesAndTransactionsGoOnDuringSplits() throws InterruptedException {
    write(0);
    var partitions = new ManagedPartitions(SharedServer.server(), "TablesDB", table.getTableName());
    assertEquals(1, partitions.partitions().size());
    var rows = new ArrayList<String>();
    int splits = 0;
    for (var page :
        table.listEntities(new ListEntitiesOptions().setTop(30), null, null).iterableByPage()) {
      page.getValue().forEach(row -> rows.add(row.getPartitionKey() + "/" + row.getRowKey()));
      if (splits++ < 2) {
        partitions.splitLargest();
        write(splits * 10);
      }
    }
    assertEquals(3, partitions.partitions().size());
    List<String> sorted = rows.stream().sorted().distinct().toList();
    assertEquals(sorted, rows, "in order and once each");
    assertTrue(rows.size() >= 10 * KEYS, () -> rows.size() + " rows");
    assertEquals(
        30 * KEYS, table.listEntities().stream().count(), "all that was ever written is there");
  }

  private void write(int firstRow) {
    for (int key = 0; key < KEYS; key++) {
      var actions = new ArrayList<TableTransactionAction>();
      for (int row = firstRow; row < firstRow + 10; row++) {
        var entity =
            new TableEntity(String.format("key%03d", key), String.format("row%03d", row))
                .addProperty("n", (long) row);
        actions.add(new TableTransactionAction(TableTransactionActionType.CREATE, entity));
      }
      table.submitTransaction(actions);
    }
  }

  @Test
  void entitiesAreItemsOfTheOtherApi() {
    table.createEntity(new TableEntity("p", "r").addProperty("large", 9007199254740993L));
    var items =
        JavaAccount.of(Deployment.HTTP_ONE_RANGE)
            .client()
            .getDatabase("TablesDB")
            .getContainer(table.getTableName());
    ObjectNode item = items.readItem("r", Items.key("p"), ObjectNode.class).getItem();
    assertEquals("Edm.Int64", item.get("large").get("$t").asText());
    assertEquals("9007199254740993", item.get("large").get("$v").asText());
    items.upsertItem(item.put("plain", 7));
    TableEntity read = table.getEntity("p", "r");
    assertEquals(9007199254740993L, read.getProperty("large"));
    assertEquals(7, read.getProperty("plain"));
    var changes =
        items
            .queryChangeFeed(
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                    FeedRange.forFullRange()),
                ObjectNode.class)
            .stream()
            .toList();
    assertEquals(1, changes.size());
    assertEquals("Edm.Int64", changes.getFirst().get("large").get("$t").asText());
    String metrics = metrics();
    assertTrue(metrics.contains("route=\"TableInsertEntity\""));
    assertTrue(metrics.contains(table.getTableName()));
  }

  /** Of all nodes: each tells of what it has done and serves. */
  private static String metrics() {
    return SharedServer.server().nodeEndpoints().stream()
        .map(node -> Rest.to(node, SharedServer.PRIMARY).get("/metrics").send().text())
        .collect(Collectors.joining());
  }
}
