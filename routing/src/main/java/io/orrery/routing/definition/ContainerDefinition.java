package io.orrery.routing.definition;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.function.VectorDistance;
import io.orrery.routing.definition.Members.Writer;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a container is, apart from where it lives.
 *
 * @param key where items carry their partition key; none for a fixed container
 * @param json all members in the order of the wire, defaults filled in
 */
public record ContainerDefinition(String id, PartitionKeyDefinition key, Value.Obj json) {

  /**
   * Reads what a client wrote.
   *
   * @param fixedAllowed whether the partition key may be left out
   * @throws MalformedBody naming the rule that it breaks
   */
  public static ContainerDefinition parse(Body body, boolean fixedAllowed) {
    Members given = Members.of(body, "The container");
    String id = ResourceName.check(given.requiredText("id"));
    Members keyGiven = given.object("partitionKey");
    // A key without paths is how some clients write a container that has none.
    boolean keyed =
        keyGiven != null && (keyGiven.has("kind") || !keyGiven.array("paths").isEmpty());
    if (!keyed && !fixedAllowed) {
      throw new MalformedBody(
          "A container needs a partition key: give partitionKey.paths, for example [\"/id\"]."
              + " Containers without one are offered under the limits 'seeds' only.");
    }
    KeyPolicy key = keyed && keyGiven != null ? KeyPolicy.of(keyGiven) : null;
    return new ContainerDefinition(
        id,
        key == null ? PartitionKeyDefinition.NONE : key.definition(),
        normalised(given, id, key));
  }

  /** What the catalog kept: it was checked when it was written. */
  public static ContainerDefinition stored(Value.Obj json) {
    Members kept = Members.of(json, "The container");
    Members key = kept.object("partitionKey");
    return new ContainerDefinition(
        kept.requiredText("id"),
        key == null ? PartitionKeyDefinition.NONE : KeyPolicy.of(key).definition(),
        json);
  }

  private static Value.Obj normalised(Members given, String id, @Nullable KeyPolicy key) {
    var search = SearchPolicies.of(given);
    Value.Obj indexing = IndexingPolicy.normalise(given.object("indexingPolicy"), search);
    Integer timeToLive = ContainerPolicies.timeToLive(given, "defaultTtl", 1);
    if (timeToLive != null && Value.of("none").equals(indexing.members().get("indexingMode"))) {
      throw new MalformedBody(
          "defaultTtl needs an index: set indexingPolicy.indexingMode to consistent");
    }
    return new Writer()
        .put("id", id)
        .put("indexingPolicy", indexing)
        .put("partitionKey", key == null ? null : key.json())
        .put("defaultTtl", timeToLive)
        .put("uniqueKeyPolicy", ContainerPolicies.uniqueKeys(given.object("uniqueKeyPolicy")))
        .put(
            "conflictResolutionPolicy",
            ContainerPolicies.conflictResolution(given.object("conflictResolutionPolicy")))
        .put("geospatialConfig", ContainerPolicies.geospatial(given.object("geospatialConfig")))
        .put("analyticalStorageTtl", ContainerPolicies.timeToLive(given, "analyticalStorageTtl", 0))
        .put("changeFeedPolicy", ContainerPolicies.changeFeed(given.object("changeFeedPolicy")))
        .putUnlessEmpty("computedProperties", ContainerPolicies.computedProperties(given))
        .put("vectorEmbeddingPolicy", search.vectorEmbeddingPolicy())
        .put("fullTextPolicy", search.fullTextPolicy())
        .put(
            "materializedViewDefinition",
            ContainerPolicies.materializedView(given.object("materializedViewDefinition")))
        .put(
            "clientEncryptionPolicy",
            ContainerPolicies.clientEncryption(given.object("clientEncryptionPolicy")))
        .done();
  }

  public Body body() {
    return Body.json(Json.write(json));
  }

  /** Whether items of both hash alike: what a replace must not change. */
  public boolean hasKeyOf(ContainerDefinition other) {
    return key.equals(other.key);
  }

  public boolean hasUniqueKeysOf(ContainerDefinition other) {
    return uniqueKeyPolicy().equals(other.uniqueKeyPolicy());
  }

  /** The same definition with the partition key written as another container writes it. */
  public ContainerDefinition withKeyOf(ContainerDefinition other) {
    var writer = new Writer();
    json.members()
        .forEach(
            (name, value) ->
                writer.put(
                    name, name.equals("partitionKey") ? other.json.members().get(name) : value));
    return new ContainerDefinition(id, key, writer.done());
  }

  /** The paths of the partition key as they were written; none where there is no key. */
  public Value keyPaths() {
    return json.members().get("partitionKey") instanceof Value.Obj(var policy)
        ? policy.getOrDefault("paths", new Value.Arr(List.of()))
        : new Value.Arr(List.of());
  }

  /** The paths of every unique key, as property names. */
  public List<List<List<String>>> uniqueKeys() {
    Members policy = Members.of(json, "The container").object("uniqueKeyPolicy");
    return policy == null
        ? List.of()
        : policy.objects(
            "uniqueKeys", key -> key.texts("paths").stream().map(KeyPath::uniqueKey).toList());
  }

  private Value uniqueKeyPolicy() {
    return json.members().getOrDefault("uniqueKeyPolicy", Value.UNDEFINED);
  }

  /** What is indexed, defaults filled in. */
  public Value.Obj indexingPolicy() {
    return json.members().get("indexingPolicy") instanceof Value.Obj policy
        ? policy
        : new Value.Obj(Map.of());
  }

  /** The properties that queries find on every item, by name. */
  public Map<String, String> computedProperties() {
    Map<String, String> queries = new LinkedHashMap<>();
    Members.of(json, "The container")
        .objects(
            "computedProperties",
            property -> queries.put(property.requiredText("name"), property.requiredText("query")));
    return queries;
  }

  /** The distance functions of vectors that have another one than cosine, by path. */
  public Map<String, String> vectorFunctions() {
    Map<String, String> functions = new LinkedHashMap<>();
    Members policy = Members.of(json, "The container").object("vectorEmbeddingPolicy");
    if (policy != null) {
      policy.objects(
          "vectorEmbeddings",
          entry -> {
            String function = entry.requiredText("distanceFunction");
            if (!function.equals(VectorDistance.DEFAULT_FUNCTION)) {
              functions.put(entry.requiredText("path").replace("\"", ""), function);
            }
            return function;
          });
    }
    return functions;
  }

  /** How many seconds items live; -1 where only their own ttl decides, null where none expires. */
  public @Nullable Integer defaultTtl() {
    return Members.of(json, "The container").integer("defaultTtl");
  }

  /** How long every version of an item is to be kept; zero when the container does not ask. */
  public Duration versionRetention() {
    Members policy = Members.of(json, "The container").object("changeFeedPolicy");
    Integer minutes = policy == null ? null : policy.integer("retentionDuration");
    return minutes == null ? Duration.ZERO : Duration.ofMinutes(minutes);
  }
}
