package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on beside queries that compute for half a minute and more. */
@Timeout(120)
class HeavyQueriesTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final int HEAVY_ITEMS = 50;
  private static final String JOINS =
      " FROM c JOIN x IN c.arr JOIN y IN c.arr JOIN z IN c.arr WHERE x + y + z < 0";

  /** Pages that do not end by themselves while a test looks at them. */
  private final QueriedDatabase queried =
      new QueriedDatabase(
          QueriedDatabase.within(
              QuerySettings.DEFAULT.totalTime(), QuerySettings.DEFAULT.totalTime()));

  private final List<PendingReply> asked = new ArrayList<>();

  @BeforeEach
  void fill() {
    queried.create(TestDatabase.KEYED, new Throughput.Manual(10_000));
    String numbers =
        IntStream.range(0, 200).mapToObj(Integer::toString).collect(Collectors.joining(","));
    queried.insert(
        IntStream.range(0, HEAVY_ITEMS)
            .mapToObj(i -> "{'id':'" + i + "','pk':'p','arr':[" + numbers + "]}")
            .toList());
    assertInstanceOf(
        Outcome.ResourceCreated.class,
        queried.database.outcome(
            new Operation.CreateContainer(
                new DatabaseRef("d"),
                TestDatabase.json(TestDatabase.KEYED.replace("'c'", "'other'")),
                null)));
  }

  /** Closing waits for what runs. */
  @AfterEach
  void close() {
    asked.forEach(query -> query.gone = true);
    queried.close();
  }

  private PendingReply ask(String query) {
    var reply = new PendingReply(false);
    asked.add(reply);
    queried
        .database
        .database()
        .execute(
            new Operation.QueryItems(
                TestDatabase.CONTAINER,
                new SqlQuery(query, Map.of()),
                new FeedScope.Whole(),
                new PageRequest(-1, null),
                QueryOptions.ANYWHERE),
            reply);
    return reply;
  }

  private Outcome createElsewhere(String id) {
    var key = new PartitionKey(List.of(new KeyComponent.Text("k")));
    return queried.database.outcome(
        new Operation.CreateItem(
            new ItemScope(ContainerRef.of("d", "other"), key),
            TestDatabase.json("{'id':'" + id + "','pk':'k'}")));
  }

  @Test
  void writesAndMetadataGoOnBesideAsManyQueriesAsCores() {
    for (int i = 0; i < CORES; i++) {
      ask("SELECT VALUE COUNT(1)" + JOINS);
    }
    for (int i = 0; i < 20; i++) {
      assertInstanceOf(Outcome.ItemCreated.class, createElsewhere("i" + i));
    }
    queried.database.createDatabase("other");
    assertEquals(List.of(), asked.stream().filter(query -> query.answer.isDone()).toList());
  }

  @Test
  void smallQueriesGoOnBesideManyHeavyOnes() {
    createElsewhere("i");
    for (int i = 0; i < 4 * CORES; i++) {
      ask("SELECT VALUE COUNT(1)" + JOINS);
    }
    var small =
        queried.database.outcome(
            new Operation.QueryItems(
                ContainerRef.of("d", "other"),
                new SqlQuery("SELECT VALUE COUNT(1) FROM c", Map.of()),
                new FeedScope.Whole(),
                new PageRequest(-1, null),
                QueryOptions.ANYWHERE));
    assertInstanceOf(Outcome.QueryPage.class, small);
    assertFalse(asked.stream().allMatch(query -> query.answer.isDone()));
  }

  @Test
  void queriesOfClientsThatAreGoneEnd() throws Exception {
    var heavy =
        List.of(
            ask("SELECT VALUE COUNT(1)" + JOINS),
            ask("SELECT x, y, z" + JOINS),
            ask("SELECT x, COUNT(1) AS n" + JOINS + " GROUP BY x"));
    for (PendingReply query : heavy) {
      query.gone = true;
    }
    for (PendingReply query : heavy) {
      Answer answer = query.answer.get(20, TimeUnit.SECONDS);
      assertInstanceOf(Refusal.class, answer.outcome());
    }
  }
}
