package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of version 1 that share their first 100 characters share a hash and nothing else. */
class LongKeysTest {
  private static final String SHARED = "x".repeat(100);
  private static final String A = SHARED + "a";
  private static final String B = SHARED + "b";
  private static final FeedScope ALL = new FeedScope.Whole();

  private final QueriedDatabase database = new QueriedDatabase(QuerySettings.DEFAULT);

  @BeforeEach
  void fill() {
    database.create(
        TestDatabase.KEYED.replace("'version':2", "'version':1"), new Throughput.Manual(400));
    List<String> items = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String pk = List.of(A, B, SHARED, "other").get(i % 4);
      items.add("{'id':'i%02d','pk':'%s','n':%d}".formatted(i, pk, 11 - i));
    }
    database.insert(items);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void queriesOverSeveralOfThemFindTheRowsOfEach() {
    String in = "SELECT VALUE c.id FROM c WHERE c.pk IN ('%s', '%s', 'other')".formatted(A, B);
    List<String> expected = ids(0, 1, 3, 4, 5, 7, 8, 9, 11);
    for (int pageRows : new int[] {1, 2, 100}) {
      assertEquals(expected, database.all(in, pageRows).stream().sorted().toList());
      assertEquals(expected.reversed(), database.all(in + " ORDER BY c.n", pageRows));
    }
    String or = "SELECT VALUE c.id FROM c WHERE c.pk = '%s' OR c.pk = '%s'".formatted(SHARED, B);
    assertEquals(ids(1, 2, 5, 6, 9, 10), database.all(or, 1));
    assertEquals(List.of("6"), database.all(or.replace("c.id", "COUNT(1)"), 1));
  }

  @Test
  void eachIsReadListedAndDeletedAlone() {
    assertEquals(
        ids(1, 5, 9), database.all("SELECT VALUE c.id FROM c", 2, new FeedScope.OfKey(key(B))));
    assertEquals(List.of("i00", "i04", "i08"), changesOf(A));
    assertInstanceOf(Outcome.ItemRead.class, database.database.read(key(A), "i00"));
    assertInstanceOf(Refusal.NotFound.class, database.database.read(key(B), "i00"));
    database.database.outcome(
        new Operation.DeleteLogicalPartition(new ItemScope(TestDatabase.CONTAINER, key(A))));
    assertInstanceOf(Refusal.NotFound.class, database.database.read(key(A), "i00"));
    assertEquals(List.of("i01", "i05", "i09"), changesOf(B));
    assertEquals(
        ids(1, 2, 3, 5, 6, 7, 9, 10, 11),
        database.all("SELECT VALUE c.id FROM c", 4, ALL).stream().sorted().toList());
  }

  private List<String> changesOf(String pk) {
    var read =
        database.database.outcome(
            new Operation.ReadChanges(
                TestDatabase.CONTAINER,
                new FeedScope.OfKey(key(pk)),
                new ChangeStart.Beginning(),
                100,
                false));
    return assertInstanceOf(Outcome.ChangePage.class, read).changes().stream()
        .map(Change::id)
        .toList();
  }

  private static PartitionKey key(String pk) {
    return PartitionKey.of(pk);
  }

  private static List<String> ids(int... numbers) {
    return java.util.Arrays.stream(numbers).mapToObj("\"i%02d\""::formatted).toList();
  }
}
