package io.orrery.fuzz;

import io.orrery.operation.Body;
import io.orrery.operation.StoredItem;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.table.FuzzedTable;
import io.orrery.value.ItemView;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads filters; as queries they find the entities that meet them when evaluated directly. */
final class FilterTarget implements Target {
  private static final long TICKS = 17_000_000_001_234_567L;
  private static final String CONTAINER = "AAAAAAAAAAA=";

  /** An entity with the item that holds it. */
  private record Row(String entity, long ticks, Value item) {}

  private final List<Row> rows =
      Stream.of(
              "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":5,\"b\":true,\"s\":\"x\"}",
              "{\"PartitionKey\":\"\",\"RowKey\":\"\",\"a\":\"5\",\"a@odata.type\":\"Edm.Int64\"}",
              "{\"PartitionKey\":\"q\",\"RowKey\":\" r\",\"a\":1.5,\"b\":false,\"s\":\"X\"}",
              "{\"PartitionKey\":\"p\",\"RowKey\":\"\u00e9\",\"a\":\"NaN\","
                  + "\"a@odata.type\":\"Edm.Double\",\"s\":\"\uD83D\uDE00\"}",
              "{\"PartitionKey\":\"p\",\"RowKey\":\"s\",\"a\":\"-Infinity\","
                  + "\"a@odata.type\":\"Edm.Double\",\"b\":\"true\"}",
              "{\"PartitionKey\":\"p\",\"RowKey\":\"t\",\"a\":\"9007199254740993\","
                  + "\"a@odata.type\":\"Edm.Int64\",\"s\":\"\"}",
              "{\"PartitionKey\":\"p\",\"RowKey\":\"u\",\"d\":\"2020-01-01T00:00:00Z\","
                  + "\"d@odata.type\":\"Edm.DateTime\",\"x\":\"AQ==\","
                  + "\"x@odata.type\":\"Edm.Binary\",\"s\":\"\uFF61\","
                  + "\"g\":\"00000000-0000-0000-0000-000000000001\","
                  + "\"g@odata.type\":\"Edm.Guid\"}")
          .map(FilterTarget::row)
          .toList();

  private static Row row(String entity) {
    byte[] bytes = entity.getBytes(StandardCharsets.UTF_8);
    long ticks = TICKS + entity.length();
    Body item = Objects.requireNonNull(FuzzedTable.item(bytes));
    var stored = new StoredItem(1, item, 1, 0, ticks);
    return new Row(entity, ticks, ItemView.of(stored, CONTAINER));
  }

  @Override
  public void run(byte[] input) {
    FuzzedTable.Condition condition = FuzzedTable.filter(Utf8.text(input));
    if (condition == null) {
      return;
    }
    CompiledQuery query;
    try {
      query = Queries.compile("SELECT VALUE 1 FROM c WHERE " + condition.sql());
    } catch (QueryRefused refused) {
      throw new Finding("The query of a filter is refused: " + condition.sql(), refused);
    }
    Map<String, Value> values = new HashMap<>();
    condition
        .parameters()
        .forEach((name, value) -> values.put(name, Json.parse(value.bytes().array())));
    for (Row row : rows) {
      boolean found = !query.rows(row.item, Parameters.of(values)).isEmpty();
      byte[] entity = row.entity.getBytes(StandardCharsets.UTF_8);
      boolean meets = FuzzedTable.meets(condition, entity, row.ticks);
      Finding.unlessEqual(meets, found, row.entity + " " + condition.sql());
    }
  }
}
