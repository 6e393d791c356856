package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.orrery.query.index.IndexPath;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name can be made to have the hash of another; that costs the others no rows. */
class PathCollisionTest {
  private static final String COLLIDING = "nyn$\uD68D\uB893\u0107";

  private static void create(PartitionFixture p, String key, String id, String members) {
    p.run(
        new ItemTask.Create(
            key(key), item("{\"id\":\"" + id + "\",\"pk\":\"" + key + "\"" + members + "}")));
  }

  @Test
  void theNamesShareAHash() {
    assertEquals(IndexPath.of("n").hash(), IndexPath.of(COLLIDING).hash());
  }

  @Test
  void itemsWithoutThePathAreNotForgotten() {
    try (var p = new PartitionFixture(true)) {
      create(p, "k", "none", "");
      create(p, "k", "two", ",\"n\":2");
      create(p, "x", "both", ",\"n\":3,\"" + COLLIDING + "\":1");
      var q = new QueryFixture(p);
      for (int size : new int[] {1, 9}) {
        assertEquals(
            List.of("\"none\"", "\"two\"", "\"both\""),
            q.drain("SELECT VALUE c.id FROM c ORDER BY c.n", size).rows());
        assertEquals(
            List.of("\"both\"", "\"two\"", "\"none\""),
            q.drain("SELECT VALUE c.id FROM c ORDER BY c.n DESC", size).rows());
      }
      assertEquals(
          List.of("\"none\""),
          q.drain("SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.n)", 9).rows());
    }
  }

  @Test
  void pagesComeToAnEnd() {
    try (var p = new PartitionFixture(true)) {
      create(p, "k", "one", ",\"n\":1");
      create(p, "k", "three", ",\"n\":3");
      create(p, "x", "other", ",\"" + COLLIDING + "\":2");
      List<String> rows =
          assertTimeoutPreemptively(
              Duration.ofSeconds(20),
              () -> new QueryFixture(p).drain("SELECT VALUE c.id FROM c ORDER BY c.n", 1).rows());
      assertEquals(
          List.of("\"one\"", "\"three\""),
          rows.stream().filter(row -> !row.equals("\"other\"")).toList());
    }
  }
}
