package io.orrery.query;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.function.Work;
import io.orrery.query.plan.QueryInfo;
import io.orrery.query.plan.QueryInfo.SortOrder;
import io.orrery.query.plan.QueryPlan;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Vectors and full text: the container's policy, ties, and what scores are relative to. */
class RankingTest {
  private static final VectorPolicy EUCLIDEAN = new VectorPolicy(Map.of("/v", "euclidean"));

  private static String run(String query, VectorPolicy policy, String... items) {
    List<Value> parsed = Stream.of(items).map(item -> Json.parse(item.replace('\'', '"'))).toList();
    List<Value> rows = Queries.compile(query, policy).run(parsed, Parameters.none());
    return new String(Json.write(new Value.Arr(rows)), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @Test
  void vectorDistanceIsThatOfTheContainer() {
    String item = "{'v':[0,0],'w':[0,3]}";
    assertEquals("[5]", run("SELECT VALUE VectorDistance(c.v, [3,4]) FROM c", EUCLIDEAN, item));
    assertEquals("[5]", run("SELECT VALUE VectorDistance([3,4], c['v']) FROM c", EUCLIDEAN, item));
    String other = "SELECT VALUE VectorDistance(c.w, [0,4]) FROM c";
    assertEquals("[1]", run(other, EUCLIDEAN, item));
    String named =
        "SELECT VALUE VectorDistance(c.v, [3,4], false, {distanceFunction:'dotproduct'}) FROM c";
    assertEquals("[0]", run(named, EUCLIDEAN, item));
  }

  @Test
  void nearestComesFirstByTheContainersFunction() {
    String[] items = {"{'id':'far','v':[9,9]}", "{'id':'near','v':[1,0]}"};
    String order = "SELECT VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1,1])";
    assertEquals("['far','near']", run(order, VectorPolicy.NONE, items));
    assertEquals("['near','far']", run(order, EUCLIDEAN, items));
    String rank = "SELECT VALUE c.id FROM c ORDER BY RANK VectorDistance(c.v, [1,1])";
    assertEquals("['near','far']", run(rank, EUCLIDEAN, items));
    QueryPlan plan =
        QueryPlan.of(
            Queries.compile(order, EUCLIDEAN), Parameters.none(), PartitionKeyDefinition.NONE);
    QueryInfo info = assertInstanceOf(QueryInfo.class, plan.merge());
    assertEquals(List.of(SortOrder.ASCENDING), info.orderBy());
  }

  /** Three texts without a hit share a rank, so the vectors decide between them. */
  @Test
  void equalScoresHaveOneRank() {
    String query =
        "SELECT VALUE c.id FROM c ORDER BY RANK RRF("
            + "FullTextScore(c.t, 'red'), VectorDistance(c.v, [1,0]))";
    assertEquals(
        "['3','2','1']",
        run(
            query,
            VectorPolicy.NONE,
            "{'id':'1','t':'a','v':[0,1]}",
            "{'id':'2','t':'b','v':[1,1]}",
            "{'id':'3','t':'c','v':[1,0]}"));
  }

  /** As clients that merge score them, which see no score where there is no text. */
  @Test
  void itemsWithoutTextComeAfterTextsWithoutAHit() {
    String[] items = {
      "{'id':'none','v':[1,0]}",
      "{'id':'other','t':'a b c','v':[1,0]}",
      "{'id':'hit','t':'red','v':[1,0]}",
      "{'id':'number','t':1,'v':[1,0]}"
    };
    String score = "FullTextScore(c.t, 'red')";
    String select = "SELECT VALUE c.id FROM c ORDER BY RANK ";
    assertEquals("['hit','other','none','number']", run(select + score, VectorPolicy.NONE, items));
    String fused = "RRF(" + score + ", VectorDistance(c.v, [1,0]))";
    assertEquals("['hit','other','none','number']", run(select + fused, VectorPolicy.NONE, items));
  }

  /** In the whole container red is common and blue rare; among the rows asked for it is not so. */
  @Test
  void scoresAreRelativeToAllItems() {
    String query =
        "SELECT VALUE c.id FROM c WHERE c.asked ORDER BY RANK FullTextScore(c.t, 'red', 'blue')";
    String[] items = {
      "{'id':'red','asked':true,'t':'red'}",
      "{'id':'blue1','asked':true,'t':'blue'}",
      "{'id':'blue2','asked':true,'t':'blue'}",
      "{'id':'4','asked':false,'t':'red'}",
      "{'id':'5','asked':false,'t':'red'}",
      "{'id':'6','asked':false,'t':'red'}"
    };
    assertEquals("['blue1','blue2','red']", run(query, VectorPolicy.NONE, items));
  }

  /** Both are read, one after the other, while others write. */
  @Test
  void firstItemsMayComeAfterTheStatistics() {
    CompiledQuery query =
        Queries.compile(
            "SELECT VALUE c.id FROM c WHERE c.asked ORDER BY RANK FullTextScore(c.t, 'red')",
            VectorPolicy.NONE);
    RankTable ranks = Objects.requireNonNull(query.ranks(Parameters.none()));
    ranks.add(List.of(Json.parse("[3,0]")));
    ranks.add(List.of(Json.parse("[3,1]")));
    CompiledQuery all = Objects.requireNonNull(query.statistics());
    ranks.takeStatistics(Objects.requireNonNull(all.ranks(Parameters.none())));
    assertArrayEquals(new int[] {1, 0}, ranks.order(Work.UNCOUNTED));
  }

  @Test
  void halfOfAPairIsWritten() {
    String query = "SELECT VALUE LEFT(c.s, 1) FROM c";
    assertEquals("['\\uD83D']", run(query, VectorPolicy.NONE, "{'s':'\uD83D\uDE00'}"));
  }
}
