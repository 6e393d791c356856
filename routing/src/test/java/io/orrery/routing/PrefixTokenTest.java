package io.orrery.routing;

import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens for the first components of a hierarchical key. */
class PrefixTokenTest {
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "h");

  /** Murmur is no cryptographic hash: a text of the same hash as another is found in seconds. */
  private static final String LIKE_ALICE = "mallory-vfynyeyQ=4.b4<U$?d*N<l^xxxxxxxxxxxxxxx";

  private static final List<List<String>> PATHS = List.of(List.of("tenant"), List.of("user"));
  private static final FeedScope SCOPE = new FeedScope.OfKey(PartitionKey.of(LIKE_ALICE));

  private final TokenedDatabase database = new TokenedDatabase();
  private String token = "";

  @BeforeEach
  void fill() {
    database.database.createContainer(
        "{'id':'h','partitionKey':{'paths':['/tenant','/user'],'kind':'MultiHash','version':2}}",
        new Throughput.Manual(400));
    create("{'id':'1','tenant':'alice','user':'a'}");
    create("{'id':'2','tenant':'" + LIKE_ALICE + "','user':'m'}");
    token =
        database.token(
            "p", "Read", "dbs/d/colls/h", ",'resourcePartitionKey':['" + LIKE_ALICE + "']");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void create(String item) {
    assertInstanceOf(
        Outcome.ItemCreated.class,
        database.database.outcome(
            new Operation.CreateItem(new ItemScope(CONTAINER, null), json(item))));
  }

  private List<String> query(String text) {
    var page =
        database.outcome(
            token,
            new Operation.QueryItems(
                CONTAINER,
                new SqlQuery(text, Map.of()),
                SCOPE,
                PageRequest.FIRST,
                QueryOptions.ANYWHERE));
    return assertInstanceOf(Outcome.QueryPage.class, page).rows().stream()
        .map(row -> row.utf8())
        .toList();
  }

  @Test
  void queriesFindNothingOfAnotherKeyWithTheSameHash() {
    var key = new PartitionKeyDefinition(PATHS, Hashing.MULTI_HASH);
    assertEquals(
        EffectivePartitionKey.of(PartitionKey.of("alice"), key),
        EffectivePartitionKey.of(PartitionKey.of(LIKE_ALICE), key));
    assertEquals(List.of("\"2\""), query("SELECT VALUE c.id FROM c"));
    assertEquals(List.of("\"2\""), query("SELECT VALUE c.id FROM c ORDER BY c.id"));
    assertEquals(List.of("1"), query("SELECT VALUE COUNT(1) FROM c"));
    assertEquals(List.of(), query("SELECT VALUE c.id FROM c WHERE c.tenant = 'alice'"));
    assertEquals(
        List.of(), query("SELECT VALUE c.id FROM c WHERE c.tenant = 'alice' AND c.user = 'a'"));
  }

  @Test
  void feedsShowNothingOfAnotherKeyWithTheSameHash() {
    var feed =
        database.outcome(token, new Operation.ReadItemFeed(CONTAINER, SCOPE, PageRequest.FIRST));
    assertEquals(1, assertInstanceOf(Outcome.ItemPage.class, feed).items().size());
    var changes =
        database.outcome(
            token,
            new Operation.ReadChanges(CONTAINER, SCOPE, new ChangeStart.Beginning(), 10, false));
    assertEquals(1, assertInstanceOf(Outcome.ChangePage.class, changes).changes().size());
  }
}
