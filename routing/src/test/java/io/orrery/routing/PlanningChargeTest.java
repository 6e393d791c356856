package io.orrery.routing;

import static io.orrery.routing.ThrottledDatabase.throttled;
import static io.orrery.routing.ThrottledDatabase.unitsUntilThrottled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Usual plans are free; what takes more costs units, whether or not a plan comes of it. */
class PlanningChargeTest {
  private static final String USUAL =
      "SELECT c.pk, COUNT(1) AS n FROM c WHERE c.pk IN ('a', 'b') AND c.n > 10 GROUP BY c.pk";

  private final ThrottledDatabase database = ThrottledDatabase.enforcing();

  @BeforeEach
  void create() {
    database.createDatabase(null);
    database.createContainer("c", new Throughput.Manual(400));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Answer plan(String query) {
    return database.database.execute(
        new Operation.PlanQuery(
            ContainerRef.of("d", "c"),
            new SqlQuery(query, Map.of()),
            PartitionKey.of("a"),
            Set.of("GroupBy", "Aggregate", "OrderBy")));
  }

  /** 300,000 characters. */
  private static String longText() {
    return IntStream.range(0, 50_000)
        .mapToObj(i -> "" + (10_000 + i))
        .collect(Collectors.joining(",", "SELECT * FROM c WHERE c.n IN (", ")"));
  }

  /** A short text whose constants take long. */
  private static String constants() {
    return IntStream.range(0, 2)
        .mapToObj(i -> "REPLACE(REPLICATE('a', 10000), 'a', 'b%d') = 'x'".formatted(i))
        .collect(Collectors.joining(" OR ", "SELECT * FROM c WHERE c.pk = 'a' AND (", ")"));
  }

  @Test
  void usualPlansAreFreeAndNeverThrottled() {
    database.readsUntilThrottled("c", "a");
    for (int i = 0; i < 100; i++) {
      Answer planned = plan(USUAL);
      assertInstanceOf(Outcome.QueryPlanned.class, planned.outcome());
      assertEquals(RequestCharge.NONE, planned.charge());
    }
  }

  @Test
  void longTextsAndConstantsCostUnits() {
    for (String query : new String[] {longText(), constants()}) {
      Answer planned = plan(query);
      assertInstanceOf(Outcome.QueryPlanned.class, planned.outcome());
      assertTrue(planned.charge().units() > 1, planned.charge()::toString);
      database.pass(20_000);
      assertEquals(planned.charge(), plan(query).charge());
      database.pass(20_000);
      double all = unitsUntilThrottled(() -> plan(query));
      assertTrue(all < 400 + 2 * planned.charge().units(), "let in: " + all);
      throttled(database.read("c", "a"));
      database.pass(20_000);
    }
  }

  @Test
  void whatIsRefusedIsChargedToo() {
    Answer refused = plan(longText() + " FOO BAR");
    assertInstanceOf(Refusal.BadQuery.class, refused.outcome());
    assertTrue(refused.charge().units() > 50, refused.charge()::toString);
    database.pass(20_000);
    Answer query = database.query("c", longText() + " FOO BAR", 10, null);
    assertInstanceOf(Refusal.BadQuery.class, query.outcome());
    assertTrue(query.charge().units() > 50, query.charge()::toString);
  }

  @Test
  void queriesPayForTheirPlans() {
    double usual = database.query("c", USUAL, 10, null).charge().units();
    double constant = database.query("c", constants(), 10, null).charge().units();
    assertTrue(constant > usual + 1, usual + " and " + constant);
    database.pass(20_000);
    double text = database.query("c", longText(), 10, null).charge().units();
    assertTrue(text > usual + 50, usual + " and " + text);
  }
}
