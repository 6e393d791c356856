package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Answer;
import io.orrery.operation.Change;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Cut;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.operation.Ticks;
import io.orrery.partition.FeedPage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of a range, on engines whose reads repeat and on those whose do not. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class ChangeFeedTest {
  private static final String VERSIONED =
      TestDatabase.KEYED.replace(
          "'id':'c'", "'id':'c','changeFeedPolicy':{'retentionDuration':10}");
  private static final FeedScope FIRST = new FeedScope.OfRange("0", null);

  @Parameter boolean repeatable;
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = new TestDatabase(repeatable);
    database.createDatabase("d");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void container(String definition) {
    database.createContainer(definition, new Throughput.Manual(10_000));
  }

  private Outcome read(FeedScope scope, ChangeStart start, int maxItems, boolean allVersions) {
    return database.outcome(
        new Operation.ReadChanges(TestDatabase.CONTAINER, scope, start, maxItems, allVersions));
  }

  private Outcome.ChangePage page(FeedScope scope, ChangeStart start, int maxItems) {
    return assertInstanceOf(Outcome.ChangePage.class, read(scope, start, maxItems, false));
  }

  private void create(String pk, int n) {
    String body = "{'id':'%d','pk':'%s','n':%d}".formatted(n, pk, n);
    assertInstanceOf(Outcome.ItemCreated.class, database.create(PartitionKey.of(pk), body));
  }

  private void replace(String pk, int n) {
    var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of(pk));
    var body = TestDatabase.json("{'id':'%d','pk':'%s','n':-1}".formatted(n, pk));
    assertInstanceOf(
        Outcome.ItemReplaced.class,
        database.outcome(
            new Operation.ReplaceItem(scope, new ItemRef.ById("" + n), body, Precondition.NONE)));
  }

  private void delete(String pk, int n) {
    var scope = new ItemScope(TestDatabase.CONTAINER, PartitionKey.of(pk));
    assertInstanceOf(
        Outcome.ItemDeleted.class,
        database.outcome(
            new Operation.DeleteItem(scope, new ItemRef.ById("" + n), Precondition.NONE)));
  }

  private static List<String> ids(Outcome.ChangePage page) {
    return page.changes().stream().map(Change::id).toList();
  }

  @Test
  void latestVersionsComeInOrderOfTransactions() {
    container(TestDatabase.KEYED);
    create("a", 1);
    create("b", 2);
    create("a", 3);
    replace("a", 1);
    delete("b", 2);
    var all = page(FIRST, new ChangeStart.Beginning(), 100);
    assertEquals(List.of("3", "1"), ids(all));
    assertEquals(List.of(3L, 4L), all.changes().stream().map(Change::lsn).toList());
    assertEquals(5, all.lsn());
    assertFalse(all.more());
    var first = page(FIRST, new ChangeStart.Beginning(), 1);
    assertEquals(List.of("3"), ids(first));
    assertTrue(first.more());
    assertEquals(List.of("1"), ids(page(FIRST, new ChangeStart.After(first.lsn()), 1)));
    assertEquals(List.of(), ids(page(FIRST, new ChangeStart.After(5), 1)));
    var now = page(FIRST, new ChangeStart.Now(), 10);
    assertEquals(5, now.lsn());
    create("b", 9);
    assertEquals(List.of("9"), ids(page(FIRST, new ChangeStart.After(now.lsn()), 10)));
    assertEquals(
        List.of("9"),
        ids(page(new FeedScope.OfKey(PartitionKey.of("b")), new ChangeStart.Beginning(), 10)));
  }

  @Test
  void timeIsAStart() throws InterruptedException {
    container(TestDatabase.KEYED);
    for (int n = 0; n < 20; n++) {
      create("k" + n, n);
    }
    long middle = page(FIRST, new ChangeStart.Beginning(), 100).changes().get(12).ticks();
    var since = page(FIRST, new ChangeStart.Time(middle), 100);
    assertEquals("12", ids(since).getFirst());
    assertEquals(8, since.changes().size());
    var never = page(FIRST, new ChangeStart.Time(Ticks.now() + Ticks.PER_SECOND), 100);
    assertEquals(List.of(), ids(never));
  }

  @Test
  void allVersionsTellEveryChange() {
    container(VERSIONED);
    create("a", 1);
    replace("a", 1);
    delete("a", 1);
    var page =
        assertInstanceOf(Outcome.ChangePage.class, read(FIRST, new ChangeStart.After(0), 10, true));
    assertEquals(
        List.of(Change.Kind.CREATE, Change.Kind.REPLACE, Change.Kind.DELETE),
        page.changes().stream().map(Change::kind).toList());
    Change deleted = page.changes().getLast();
    assertEquals(null, deleted.current());
    assertTrue(
        deleted.previous() != null && deleted.previous().body().bytes().utf8().contains("-1"));
    assertInstanceOf(Refusal.BadRequest.class, read(FIRST, new ChangeStart.Beginning(), 10, true));
  }

  @Test
  void positionsFromBeforeThePolicyAreRefusedInsteadOfLeavingChangesOut() {
    container(VERSIONED);
    create("a", 1);
    create("b", 7);
    replaceDefinition(TestDatabase.KEYED);
    create("a", 2);
    delete("a", 1);
    long off = page(FIRST, new ChangeStart.Now(), 1).lsn();
    deleteKey("b");
    replaceDefinition(VERSIONED);
    long on = page(FIRST, new ChangeStart.Now(), 1).lsn();
    create("a", 3);
    deleteKey("a");
    for (long lsn : new long[] {0, 1, off}) {
      assertEquals(
          new Refusal.HistoryTrimmed(), read(FIRST, new ChangeStart.After(lsn), 100, true));
    }
    Answer refused =
        database.answer(
            new Operation.ReadChanges(
                TestDatabase.CONTAINER, FIRST, new ChangeStart.After(0), 100, true));
    assertEquals(new Refusal.HistoryTrimmed(), refused.outcome());
    assertTrue(refused.charge().units() > FeedPage.CHARGE_MIN.units(), "for what was read");
    // The pages before the gap are whole.
    var first =
        assertInstanceOf(Outcome.ChangePage.class, read(FIRST, new ChangeStart.After(0), 1, true));
    assertEquals(List.of("1"), ids(first));
    var later =
        assertInstanceOf(
            Outcome.ChangePage.class, read(FIRST, new ChangeStart.After(on), 100, true));
    assertTrue(ids(later).contains("3"));
    assertEquals(
        List.of(),
        ids(
            assertInstanceOf(
                Outcome.ChangePage.class,
                read(
                    new FeedScope.OfKey(PartitionKey.of("c")),
                    new ChangeStart.After(0),
                    10,
                    true))));
  }

  @Test
  void positionsAheadOfTheRangeAreRefused() {
    container(VERSIONED);
    create("a", 1);
    for (boolean allVersions : new boolean[] {false, true}) {
      var present = read(FIRST, new ChangeStart.After(1), 10, allVersions);
      assertEquals(List.of(), ids(assertInstanceOf(Outcome.ChangePage.class, present)));
      var ahead = read(FIRST, new ChangeStart.After(2), 10, allVersions);
      var refused = assertInstanceOf(Refusal.BadRequest.class, ahead);
      assertTrue(refused.message().contains("ahead of the range"), refused.message());
    }
  }

  private void replaceDefinition(String definition) {
    assertInstanceOf(
        Outcome.ResourceReplaced.class,
        database.outcome(
            new Operation.ReplaceContainer(
                TestDatabase.CONTAINER, TestDatabase.json(definition), Precondition.NONE)));
  }

  private void deleteKey(String pk) {
    database.outcome(
        new Operation.DeleteLogicalPartition(
            new ItemScope(TestDatabase.CONTAINER, PartitionKey.of(pk))));
  }

  @Test
  void allVersionsNeedAPolicy() {
    container(TestDatabase.KEYED);
    assertInstanceOf(Refusal.BadRequest.class, read(FIRST, new ChangeStart.Now(), 10, true));
    assertInstanceOf(
        Refusal.NotFound.class,
        read(new FeedScope.OfRange("7", null), new ChangeStart.Now(), 10, false));
  }

  @Test
  void childrenGoOnWhereTheirParentWas() throws InterruptedException {
    container(TestDatabase.KEYED);
    for (int n = 0; n < 100; n++) {
      create("k" + n % 20, n);
    }
    var before = page(FIRST, new ChangeStart.Beginning(), 40);
    var elasticity = database.database().elasticity();
    var container = elasticity.container(TestDatabase.CONTAINER);
    var split = elasticity.split(container, "0", new Cut.ByData(), false);
    SplitTest.ended(split);
    assertInstanceOf(
        Refusal.RangeGone.class, read(FIRST, new ChangeStart.After(before.lsn()), 9, false));
    for (int n = 100; n < 120; n++) {
      create("k" + n % 20, n);
    }
    List<String> seen = new ArrayList<>(ids(before));
    for (String range : List.of("1", "2")) {
      long after = before.lsn();
      Outcome.ChangePage page;
      do {
        page = page(new FeedScope.OfRange(range, null), new ChangeStart.After(after), 7);
        seen.addAll(ids(page));
        after = page.lsn();
      } while (page.more());
    }
    assertEquals(120, seen.size());
    assertEquals(120, seen.stream().distinct().count());
    var half =
        new EpkRange(
            EffectivePartitionKey.MIN,
            EffectivePartitionKey.between(
                elasticity.container(TestDatabase.CONTAINER).map().ranges().getFirst().epks(),
                container.key().hashing()));
    var part = page(new FeedScope.OfRange("1", half), new ChangeStart.Beginning(), 1_000);
    var whole = page(new FeedScope.OfRange("1", null), new ChangeStart.Beginning(), 1_000);
    assertTrue(part.changes().size() < whole.changes().size());
    assertTrue(whole.changes().containsAll(part.changes()));
  }
}
