package io.orrery.partition;

import static io.orrery.partition.PartitionFixture.item;
import static io.orrery.partition.PartitionFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Outcome;
import io.orrery.query.index.IndexPath;
import io.orrery.storage.PartitionId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Items of one key do not change what the index finds for other keys. */
@Timeout(120)
class SharedHashTest {
  /** Its path has the hash of {@code /x}: such names are found within milliseconds. */
  private static final String LIKE_X = "qiqj\u1c92\u24b5\u282f\u3e00\u2d91\u48a7";

  private static final List<String> OF_B =
      List.of(
          "SELECT VALUE c.id FROM c WHERE c.pk = 'b' ORDER BY c.x",
          "SELECT VALUE c.id FROM c WHERE c.pk = 'b' ORDER BY c.x DESC",
          "SELECT VALUE c.id FROM c WHERE c.pk = 'b' AND NOT IS_DEFINED(c.x)");

  private final PartitionFixture p = new PartitionFixture(true);

  private void create(String pk, String members) {
    var body = item("{\"pk\":\"" + pk + "\"," + members + "}");
    assertInstanceOf(
        Outcome.ItemCreated.class, p.run(new ItemTask.Create(key(pk), body)).outcome());
  }

  private void assertFound(Partition in) {
    var asked = new QueryFixture(p, in);
    for (String sql : OF_B) {
      assertEquals(asked.inMemory(sql), asked.drain(sql, 2).rows(), sql);
    }
  }

  @Test
  void itemsOfOthersAreCountedOnce() {
    assertEquals(IndexPath.of("x").hash(), IndexPath.of(LIKE_X).hash());
    for (int i = 0; i < 5; i++) {
      create("b", "\"id\":\"with" + i + "\",\"x\":" + i);
      create("b", "\"id\":\"without" + i + "\"");
      create("a", "\"id\":\"" + i + "\",\"x\":1,\"" + LIKE_X + "\":2");
    }
    assertFound(p.partition);
    var half = new MemoryStorage().open(new PartitionId(8));
    new PartitionCopy(half, p.settings()).from(p.store, EpkRange.ALL).load(() -> {});
    var hints = new CounterHints(1 << 20);
    try (var copied = Partition.open(half, p.settings(), hints, () -> {}, Tenure.SOLE)) {
      assertFound(copied);
    }
    p.close();
  }

  @Test
  void itemsWithoutThePathAreNotForgotten() {
    create("k", "\"id\":\"none\"");
    create("k", "\"id\":\"two\",\"x\":2");
    create("m", "\"id\":\"both\",\"x\":3,\"" + LIKE_X + "\":1");
    List<String> expected = List.of("\"none\"", "\"two\"", "\"both\"");
    var asked = new QueryFixture(p);
    for (int rows : List.of(1, 9)) {
      assertEquals(expected, asked.drain("SELECT VALUE c.id FROM c ORDER BY c.x", rows).rows());
      assertEquals(
          expected.reversed(),
          asked.drain("SELECT VALUE c.id FROM c ORDER BY c.x DESC", rows).rows());
    }
    p.close();
  }

  /** A page may end at such an item: the next one must not begin anew. */
  @Test
  void itemsHaveOnePlaceEach() {
    for (int i = 0; i < 5; i++) {
      create("b", "\"id\":\"" + i + "\",\"x\":" + i);
      create("a", "\"id\":\"only" + i + "\",\"" + LIKE_X + "\":" + i);
      create("a", "\"id\":\"both" + i + "\",\"x\":" + (10 + i) + ",\"" + LIKE_X + "\":" + i);
    }
    List<String> expected = new ArrayList<>();
    for (String name : List.of("", "both")) {
      for (int i = 0; i < 5; i++) {
        expected.add("\"" + name + i + "\"");
      }
    }
    var asked = new QueryFixture(p);
    for (int rows : List.of(1, 2, 100)) {
      assertEquals(expected, asked.drain("SELECT VALUE c.id FROM c ORDER BY c.x", rows).rows());
      Collections.reverse(expected);
      assertEquals(
          expected, asked.drain("SELECT VALUE c.id FROM c ORDER BY c.x DESC", rows).rows());
      Collections.reverse(expected);
    }
    p.close();
  }

  /** Long texts share a term, and are put in order by the items themselves. */
  @Test
  void itemsHaveOnePlaceEachAmongLongTexts() {
    String begin = "b".repeat(2_000);
    for (int i = 0; i < 5; i++) {
      create("b", "\"id\":\"" + i + "\",\"x\":\"" + begin + i + "\"");
      String last = "z".repeat(2_000) + i;
      String like = (i % 2 == 0 ? "a".repeat(2_000) : begin) + i;
      create("a", "\"id\":\"only" + i + "\",\"" + LIKE_X + "\":\"" + like + "\"");
      create(
          "a",
          "\"id\":\"both" + i + "\",\"x\":\"" + last + "\",\"" + LIKE_X + "\":\"" + like + "\"");
    }
    List<String> expected = new ArrayList<>();
    for (String name : List.of("", "both")) {
      for (int i = 0; i < 5; i++) {
        expected.add("\"" + name + i + "\"");
      }
    }
    var asked = new QueryFixture(p);
    for (int rows : List.of(1, 2, 100)) {
      assertEquals(expected, asked.drain("SELECT VALUE c.id FROM c ORDER BY c.x", rows).rows());
    }
    p.close();
  }

  /** Of an item with very many members some are not indexed; its id may be one of them. */
  @Test
  void itemsWithTooManyMembersAreCountedAmongAll() {
    var members = new StringBuilder("\"x\":1");
    for (int i = 0; i < 10_000; i++) {
      members.append(",\"m").append(i).append("\":0");
    }
    create("a", members + ",\"id\":\"1\"");
    create("b", "\"id\":\"with\",\"x\":1");
    create("b", "\"id\":\"without\"");
    assertFound(p.partition);
    p.close();
  }
}
