package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.FeedScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database with one container that tests ask queries of. */
final class QueriedDatabase implements AutoCloseable {
  private static final int PAGES_MAX = 1_000;

  final TestDatabase database;

  QueriedDatabase(QuerySettings settings) {
    database = new TestDatabase(true, Limits.SEEDS, settings);
  }

  /** The usual settings with other times. */
  static QuerySettings within(Duration page, Duration total) {
    QuerySettings usual = QuerySettings.DEFAULT;
    return new QuerySettings(
        usual.directory(), usual.memoryBytes(), usual.directoryBytes(), page, total);
  }

  QueriedDatabase(TestDatabase database) {
    this.database = database;
  }

  void create(String definition, Throughput throughput) {
    database.createDatabase("d");
    database.createContainer(definition, throughput);
  }

  /** Items with a text at /pk. */
  void insert(List<String> items) {
    for (String item : items) {
      var body = (Value.Obj) Json.parse(TestDatabase.json(item).bytes().array());
      Value pk = body.members().getOrDefault("pk", Value.UNDEFINED);
      var key = new KeyComponent.Text(((Value.Text) pk).value());
      assertInstanceOf(
          Outcome.ItemCreated.class, database.create(new PartitionKey(List.of(key)), item));
    }
  }

  Answer answer(String query, int maxItems, @Nullable String continuation) {
    return answer(query, maxItems, continuation, new FeedScope.Whole());
  }

  Answer answer(String query, int maxItems, @Nullable String continuation, FeedScope scope) {
    return database.answer(
        new Operation.QueryItems(
            TestDatabase.CONTAINER,
            new SqlQuery(query, Map.of()),
            scope,
            new PageRequest(maxItems, continuation),
            QueryOptions.ANYWHERE));
  }

  Outcome.QueryPage page(String query, int maxItems, @Nullable String continuation) {
    return assertInstanceOf(
        Outcome.QueryPage.class, answer(query, maxItems, continuation).outcome(), query);
  }

  List<String> all(String query, int maxItems) {
    return all(query, maxItems, new FeedScope.Whole());
  }

  /** The rows of all pages. */
  List<String> all(String query, int maxItems, FeedScope scope) {
    List<String> rows = new ArrayList<>();
    String continuation = null;
    int pages = 0;
    do {
      assertTrue(++pages < PAGES_MAX, query);
      var page =
          assertInstanceOf(
              Outcome.QueryPage.class,
              answer(query, maxItems, continuation, scope).outcome(),
              query);
      assertTrue(maxItems <= 0 || page.rows().size() <= maxItems);
      page.rows().forEach(row -> rows.add(row.utf8()));
      continuation = page.continuation();
    } while (continuation != null);
    return rows;
  }

  @Override
  public void close() {
    database.close();
  }
}
