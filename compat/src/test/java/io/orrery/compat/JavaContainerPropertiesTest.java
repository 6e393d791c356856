package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.ComputedProperty;
import com.azure.cosmos.models.ConflictResolutionMode;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosFullTextIndex;
import com.azure.cosmos.models.CosmosFullTextPath;
import com.azure.cosmos.models.CosmosFullTextPolicy;
import com.azure.cosmos.models.CosmosVectorDataType;
import com.azure.cosmos.models.CosmosVectorDistanceFunction;
import com.azure.cosmos.models.CosmosVectorEmbedding;
import com.azure.cosmos.models.CosmosVectorEmbeddingPolicy;
import com.azure.cosmos.models.CosmosVectorIndexSpec;
import com.azure.cosmos.models.CosmosVectorIndexType;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SpatialSpec;
import com.azure.cosmos.models.SpatialType;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the Java SDK can say of a container comes back as it was said. */
@EveryDeployment
class JavaContainerPropertiesTest {
  private final JavaAccount account;

  JavaContainerPropertiesTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
  }

  private static CosmosContainerProperties fresh() {
    return new CosmosContainerProperties(SharedServer.freshName("coll"), "/pk");
  }

  /** Creates the container and reads it anew. */
  private CosmosContainerProperties kept(CosmosContainerProperties wanted) {
    return account.container(wanted).read().getProperties();
  }

  @Test
  void defaultsAreFilledIn() {
    CosmosContainerProperties kept = kept(fresh());
    IndexingPolicy policy = kept.getIndexingPolicy();
    assertEquals(IndexingMode.CONSISTENT, policy.getIndexingMode());
    assertTrue(policy.isAutomatic());
    assertEquals(
        List.of("/*"), policy.getIncludedPaths().stream().map(IncludedPath::getPath).toList());
    assertEquals(
        List.of("/\"_etag\"/?"),
        policy.getExcludedPaths().stream().map(ExcludedPath::getPath).toList());
    assertEquals(
        ConflictResolutionMode.LAST_WRITER_WINS, kept.getConflictResolutionPolicy().getMode());
    assertEquals("/_ts", kept.getConflictResolutionPolicy().getConflictResolutionPath());
    assertNull(kept.getDefaultTimeToLiveInSeconds());
  }

  @Test
  void indexedPathsAreKept() {
    var policy =
        new IndexingPolicy()
            .setIncludedPaths(
                List.of(new IncludedPath("/name/?"), new IncludedPath("/tags/[]/\"odd name\"/*")))
            .setExcludedPaths(List.of(new ExcludedPath("/*")));
    IndexingPolicy kept = kept(fresh().setIndexingPolicy(policy)).getIndexingPolicy();
    assertEquals(
        List.of("/name/?", "/tags/[]/\"odd name\"/*"),
        kept.getIncludedPaths().stream().map(IncludedPath::getPath).toList());
    assertTrue(kept.getExcludedPaths().stream().anyMatch(path -> path.getPath().equals("/*")));
  }

  @Test
  void compositeAndSpatialIndexesAreKept() {
    var policy =
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/*")))
            .setCompositeIndexes(
                List.of(
                    List.of(
                        composite("/a", CompositePathSortOrder.ASCENDING),
                        composite("/b", CompositePathSortOrder.DESCENDING)),
                    List.of(
                        composite("/c/d", CompositePathSortOrder.DESCENDING),
                        composite("/e", CompositePathSortOrder.DESCENDING))))
            .setSpatialIndexes(
                List.of(
                    new SpatialSpec()
                        .setPath("/location/*")
                        .setSpatialTypes(List.of(SpatialType.POINT, SpatialType.POLYGON))));
    IndexingPolicy kept = kept(fresh().setIndexingPolicy(policy)).getIndexingPolicy();
    assertEquals(policy.getCompositeIndexes(), kept.getCompositeIndexes());
    SpatialSpec spatial = kept.getSpatialIndexes().getFirst();
    assertEquals("/location/*", spatial.getPath());
    assertTrue(
        spatial.getSpatialTypes().containsAll(List.of(SpatialType.POINT, SpatialType.POLYGON)));
  }

  private static CompositePath composite(String path, CompositePathSortOrder order) {
    return new CompositePath().setPath(path).setOrder(order);
  }

  @Test
  void uniqueKeysAreKept() {
    var policy =
        new UniqueKeyPolicy()
            .setUniqueKeys(
                List.of(
                    new UniqueKey(List.of("/email")),
                    new UniqueKey(List.of("/name/first", "/name/last"))));
    List<List<String>> kept =
        kept(fresh().setUniqueKeyPolicy(policy)).getUniqueKeyPolicy().getUniqueKeys().stream()
            .map(UniqueKey::getPaths)
            .toList();
    assertEquals(List.of(List.of("/email"), List.of("/name/first", "/name/last")), kept);
  }

  @Test
  void timeToLiveIsKept() {
    CosmosContainerProperties never = kept(fresh().setDefaultTimeToLiveInSeconds(-1));
    assertEquals(-1, never.getDefaultTimeToLiveInSeconds());
    CosmosContainerProperties soon =
        kept(fresh().setDefaultTimeToLiveInSeconds(100).setAnalyticalStoreTimeToLiveInSeconds(-1));
    assertEquals(100, soon.getDefaultTimeToLiveInSeconds());
    assertEquals(-1, soon.getAnalyticalStoreTimeToLiveInSeconds());
  }

  @Test
  void conflictPolicyIsKept() {
    ConflictResolutionPolicy wins =
        kept(fresh()
                .setConflictResolutionPolicy(
                    ConflictResolutionPolicy.createLastWriterWinsPolicy("/version")))
            .getConflictResolutionPolicy();
    assertEquals(ConflictResolutionMode.LAST_WRITER_WINS, wins.getMode());
    assertEquals("/version", wins.getConflictResolutionPath());
    ConflictResolutionPolicy custom =
        kept(fresh()
                .setConflictResolutionPolicy(
                    ConflictResolutionPolicy.createCustomPolicy("dbs/d/colls/c/sprocs/merge")))
            .getConflictResolutionPolicy();
    assertEquals(ConflictResolutionMode.CUSTOM, custom.getMode());
    assertEquals("dbs/d/colls/c/sprocs/merge", custom.getConflictResolutionProcedure());
  }

  @Test
  void changeFeedPolicyIsKept() {
    var policy = ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10));
    CosmosContainerProperties kept = kept(fresh().setChangeFeedPolicy(policy));
    assertEquals(
        Duration.ofMinutes(10),
        kept.getChangeFeedPolicy().getRetentionDurationForAllVersionsAndDeletesPolicy());
  }

  @Test
  void computedPropertiesAreKept() {
    var lower = new ComputedProperty("cp_lower", "SELECT VALUE LOWER(c.name) FROM c");
    List<ComputedProperty> kept =
        List.copyOf(kept(fresh().setComputedProperties(List.of(lower))).getComputedProperties());
    assertEquals(1, kept.size());
    assertEquals(lower.getName(), kept.getFirst().getName());
    assertEquals(lower.getQuery(), kept.getFirst().getQuery());
  }

  @Test
  void vectorPoliciesAreKept() {
    var embedding =
        new CosmosVectorEmbedding()
            .setPath("/vector")
            .setDataType(CosmosVectorDataType.FLOAT32)
            .setEmbeddingDimensions(8)
            .setDistanceFunction(CosmosVectorDistanceFunction.COSINE);
    var embeddings = new CosmosVectorEmbeddingPolicy();
    embeddings.setCosmosVectorEmbeddings(List.of(embedding));
    var indexing =
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/*")))
            .setExcludedPaths(List.of(new ExcludedPath("/vector/*")))
            .setVectorIndexes(
                List.of(
                    new CosmosVectorIndexSpec()
                        .setPath("/vector")
                        .setType(CosmosVectorIndexType.FLAT.toString())));
    CosmosContainerProperties kept =
        kept(fresh().setVectorEmbeddingPolicy(embeddings).setIndexingPolicy(indexing));
    CosmosVectorEmbedding back = kept.getVectorEmbeddingPolicy().getVectorEmbeddings().getFirst();
    assertEquals("/vector", back.getPath());
    assertEquals(8, back.getEmbeddingDimensions());
    assertEquals(CosmosVectorDataType.FLOAT32, back.getDataType());
    assertEquals(CosmosVectorDistanceFunction.COSINE, back.getDistanceFunction());
    CosmosVectorIndexSpec index = kept.getIndexingPolicy().getVectorIndexes().getFirst();
    assertEquals("/vector", index.getPath());
    assertEquals("flat", index.getType());
  }

  @Test
  void fullTextPoliciesAreKept() {
    var text =
        new CosmosFullTextPolicy()
            .setDefaultLanguage("en-US")
            .setPaths(List.of(new CosmosFullTextPath().setPath("/text").setLanguage("en-US")));
    var indexing =
        new IndexingPolicy()
            .setIncludedPaths(List.of(new IncludedPath("/*")))
            .setCosmosFullTextIndexes(List.of(new CosmosFullTextIndex().setPath("/text")));
    CosmosContainerProperties kept =
        kept(fresh().setFullTextPolicy(text).setIndexingPolicy(indexing));
    assertEquals("en-US", kept.getFullTextPolicy().getDefaultLanguage());
    CosmosFullTextPath path = kept.getFullTextPolicy().getPaths().getFirst();
    assertEquals("/text", path.getPath());
    assertEquals("en-US", path.getLanguage());
    assertEquals("/text", kept.getIndexingPolicy().getCosmosFullTextIndexes().getFirst().getPath());
  }

  @ParameterizedTest
  @EnumSource(PartitionKeyDefinitionVersion.class)
  void hashVersionIsKept(PartitionKeyDefinitionVersion version) {
    var key = new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(version);
    var wanted = new CosmosContainerProperties(SharedServer.freshName("coll"), key);
    PartitionKeyDefinition kept = kept(wanted).getPartitionKeyDefinition();
    assertEquals(PartitionKind.HASH, kept.getKind());
    assertEquals(version, kept.getVersion());
  }

  @Test
  void hierarchicalNestedAndQuotedPathsAreKept() {
    for (var paths :
        List.of(
            List.of("/tenant", "/user/id", "/\"session id\""),
            List.of("/properties/name"),
            List.of("/\"department name\""))) {
      PartitionKeyDefinition key = JavaAccount.definition(paths.toArray(String[]::new));
      var wanted = new CosmosContainerProperties(SharedServer.freshName("coll"), key);
      PartitionKeyDefinition kept = kept(wanted).getPartitionKeyDefinition();
      assertEquals(paths, kept.getPaths());
      assertEquals(key.getKind(), kept.getKind());
      assertEquals(PartitionKeyDefinitionVersion.V2, kept.getVersion());
    }
  }
}
