package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.CosmosContainerResponse;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of containers through the Java SDK. */
@EveryDeployment
class JavaContainersTest {
  private final JavaAccount account;
  private final Deployment deployment;

  JavaContainersTest(Deployment deployment) {
    this.account = JavaAccount.of(deployment);
    this.deployment = deployment;
  }

  private CosmosContainerProperties fresh() {
    return new CosmosContainerProperties(SharedServer.freshName("coll"), "/pk");
  }

  @Test
  void createdIsReadAndDeleted() {
    CosmosContainerProperties wanted = fresh();
    CosmosContainerResponse created =
        account.database().createContainer(wanted, account.throughput());
    assertEquals(201, created.getStatusCode());
    assertTrue(created.getRequestCharge() > 0);
    assertEquals(wanted.getId(), created.getProperties().getId());
    assertTrue(created.getProperties().getResourceId().matches("[A-Za-z0-9+-]{11}="));

    CosmosContainer container = account.database().getContainer(wanted.getId());
    CosmosContainerResponse read = container.read();
    assertEquals(200, read.getStatusCode());
    assertEquals(created.getProperties().getResourceId(), read.getProperties().getResourceId());
    assertEquals(created.getProperties().getETag(), read.getProperties().getETag());
    assertEquals(100, read.getIndexTransformationProgress());

    assertEquals(204, container.delete().getStatusCode());
    JavaAccount.refused(404, 0, container::read);
    JavaAccount.refused(404, 0, container::delete);
  }

  @Test
  void rangesAreAsManyAsTheThroughputAsksFor() {
    CosmosContainer container = account.container("/pk");
    assertEquals(deployment.ranges(), container.getFeedRanges().size());
  }

  @Test
  void secondCreateIfNotExistsFindsTheFirst() {
    CosmosContainerProperties wanted = fresh();
    CosmosDatabase database = account.database();
    assertEquals(
        201, database.createContainerIfNotExists(wanted, account.throughput()).getStatusCode());
    assertEquals(
        200, database.createContainerIfNotExists(wanted, account.throughput()).getStatusCode());
  }

  @Test
  void existingNameIsRefused() {
    CosmosContainer container = account.container("/pk");
    JavaAccount.refused(409, 0, () -> account.database().createContainer(container.getId(), "/pk"));
  }

  @Test
  void containerOfMissingDatabaseIsRefused() {
    CosmosDatabase missing = account.client().getDatabase("missing");
    JavaAccount.refused(404, 1003, () -> missing.createContainer("c", "/pk"));
    JavaAccount.refused(404, 1003, () -> missing.getContainer("c").read());
  }

  @Test
  void listComesInPagesAndQueryFindsByName() {
    String name = SharedServer.freshName("listing");
    account.client().createDatabase(name);
    CosmosDatabase database = account.client().getDatabase(name);
    for (String id : List.of("a", "b", "c")) {
      database.createContainer(id, "/pk");
    }
    var seen = new ArrayList<String>();
    for (var page : database.readAllContainers().iterableByPage(2)) {
      assertTrue(page.getResults().size() <= 2);
      page.getResults().forEach(container -> seen.add(container.getId()));
    }
    assertEquals(List.of("a", "b", "c"), seen.stream().sorted().toList());
    List<String> found =
        database.queryContainers("SELECT * FROM c WHERE c.id = 'b'").stream()
            .map(CosmosContainerProperties::getId)
            .toList();
    assertEquals(List.of("b"), found);
    database.delete();
    JavaAccount.refused(404, 1003, () -> database.getContainer("a").read());
  }

  @Test
  void replaceChangesWhatMayChange() {
    CosmosContainer container = account.container("/pk");
    CosmosContainerProperties before = container.read().getProperties();
    CosmosContainerProperties wanted = container.read().getProperties();
    wanted.setDefaultTimeToLiveInSeconds(3600);
    wanted.setIndexingPolicy(
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/*")))
            .setExcludedPaths(List.of(new ExcludedPath("/secret/*"))));
    CosmosContainerResponse replaced = container.replace(wanted);
    assertEquals(200, replaced.getStatusCode());
    CosmosContainerProperties after = container.read().getProperties();
    assertEquals(3600, after.getDefaultTimeToLiveInSeconds());
    assertTrue(
        after.getIndexingPolicy().getExcludedPaths().stream()
            .anyMatch(path -> path.getPath().equals("/secret/*")));
    assertEquals(before.getResourceId(), after.getResourceId());
    assertNotEquals(before.getETag(), after.getETag());

    container.replace(after.setDefaultTimeToLiveInSeconds(null));
    assertNull(container.read().getProperties().getDefaultTimeToLiveInSeconds());
  }

  @Test
  void replaceKeepsItems() {
    CosmosContainer container = account.container("/pk");
    container.createItem(Items.item("a", "p"));
    CosmosContainerProperties properties = container.read().getProperties();
    container.replace(properties.setDefaultTimeToLiveInSeconds(-1));
    assertEquals(
        "a",
        container.readItem("a", Items.key("p"), ObjectNode.class).getItem().get("id").asText());
  }

  @Test
  void replaceWithStaleEtagIsRefused() {
    CosmosContainer container = account.container("/pk");
    CosmosContainerProperties stale = container.read().getProperties();
    container.replace(container.read().getProperties().setDefaultTimeToLiveInSeconds(7));
    var options = new CosmosContainerRequestOptions().setIfMatchETag(stale.getETag());
    JavaAccount.refused(412, 0, () -> container.replace(stale, options));
  }

  @Test
  void uniqueKeysAndKeyPathsCannotChange() {
    CosmosContainer container = account.container("/pk");
    CosmosContainerProperties unique = container.read().getProperties();
    unique.setUniqueKeyPolicy(
        new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/email")))));
    JavaAccount.refused(403, 0, () -> container.replace(unique));
    CosmosContainerProperties moved = container.read().getProperties();
    moved.setPartitionKeyDefinition(JavaAccount.definition("/other"));
    JavaAccount.refused(400, 0, () -> container.replace(moved));
  }

  @Test
  void indexingCanBeSwitchedOff() {
    CosmosContainerProperties wanted = fresh();
    wanted.setIndexingPolicy(
        new IndexingPolicy().setAutomatic(false).setIndexingMode(IndexingMode.NONE));
    CosmosContainer container = account.container(wanted);
    assertEquals(
        IndexingMode.NONE, container.read().getProperties().getIndexingPolicy().getIndexingMode());
    assertEquals(201, container.createItem(Items.item("a", "p")).getStatusCode());
  }

  @Test
  void recreatedContainerServesClientsThatKnewTheOldOne() {
    CosmosContainerProperties wanted = fresh();
    CosmosContainer container = account.container(wanted);
    container.createItem(Items.item("a", "p"));
    // Behind the back of the SDK, whose caches now hold the rid of a container that is gone.
    Rest rest = Rest.over(deployment.scheme());
    String colls = "/dbs/" + account.database().getId() + "/colls";
    rest.delete(colls + "/" + wanted.getId()).send().expect(204);
    rest.post(
            colls,
            "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}"
                .formatted(wanted.getId()))
        .send()
        .expect(201);
    JavaAccount.refused(404, 0, () -> container.readItem("a", Items.key("p"), ObjectNode.class));
    assertEquals(201, container.createItem(Items.item("b", "p")).getStatusCode());
    assertEquals(200, container.readItem("b", Items.key("p"), ObjectNode.class).getStatusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"with space", "Straße", "台北市", "a+b", "a.b(c)'d", "a%2Fb"})
  void unusualNamesWork(String start) {
    var properties = new CosmosContainerProperties(SharedServer.freshName(start), "/pk");
    CosmosContainer container = account.container(properties);
    assertEquals(properties.getId(), container.read().getProperties().getId());
    container.createItem(Items.item("a", "p"));
    assertEquals(200, container.readItem("a", Items.key("p"), ObjectNode.class).getStatusCode());
    assertEquals(204, container.delete().getStatusCode());
  }
}
