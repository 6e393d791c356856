package io.orrery.routing.definition;

import io.orrery.query.ComputedProperties;
import io.orrery.query.Queries;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.definition.Members.Writer;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The smaller policies of a container, each checked and written in its canonical form. */
final class ContainerPolicies {
  private static final int UNIQUE_KEYS_MAX = 10;
  private static final int UNIQUE_KEY_PATHS_MAX = 16;
  private static final int COMPUTED_PROPERTIES_MAX = 20;
  private static final Set<String> RESERVED =
      Set.of("id", "_rid", "_ts", "_self", "_etag", "_attachments", "_lsn");

  private ContainerPolicies() {}

  /** The unique keys, or null when there are none: an empty policy is as good as no policy. */
  static @Nullable Value uniqueKeys(@Nullable Members policy) {
    if (policy == null) {
      return null;
    }
    List<Value> keys = policy.objects("uniqueKeys", ContainerPolicies::uniqueKey);
    if (keys.size() > UNIQUE_KEYS_MAX) {
      throw policy.wrong("uniqueKeys", "an array of at most " + UNIQUE_KEYS_MAX + " keys");
    }
    if (new HashSet<>(keys).size() < keys.size()) {
      throw new MalformedBody("Each unique key is given once");
    }
    return keys.isEmpty() ? null : new Writer().put("uniqueKeys", new Value.Arr(keys)).done();
  }

  private static Value uniqueKey(Members key) {
    List<String> paths = key.texts("paths");
    if (paths.isEmpty() || paths.size() > UNIQUE_KEY_PATHS_MAX) {
      throw key.wrong("paths", "an array of 1 to " + UNIQUE_KEY_PATHS_MAX + " paths");
    }
    paths.forEach(path -> KeyPath.check(path, "unique key"));
    if (new HashSet<>(paths).size() < paths.size()) {
      throw new MalformedBody("The paths of a unique key must differ from each other");
    }
    return new Writer().put("paths", key.value("paths")).done();
  }

  static @Nullable Integer timeToLive(Members container, String name, int least) {
    Integer seconds = container.integer(name);
    if (seconds != null && seconds != -1 && seconds < least) {
      throw container.wrong(
          name, "-1 (never by default) or a number of seconds from " + least + " to 2147483647");
    }
    return seconds;
  }

  static Value conflictResolution(@Nullable Members policy) {
    String mode =
        policy == null
            ? "LastWriterWins"
            : policy.oneOf("mode", "LastWriterWins", List.of("LastWriterWins", "Custom"));
    boolean custom = mode.equals("Custom");
    String path = policy == null ? "" : policy.textOr("conflictResolutionPath", "");
    String procedure = policy == null ? "" : policy.textOr("conflictResolutionProcedure", "");
    if (custom && !path.isEmpty()) {
      throw new MalformedBody("A custom conflict resolution policy has no conflictResolutionPath");
    }
    if (!custom && !procedure.isEmpty()) {
      throw new MalformedBody(
          "A conflict resolution policy of mode LastWriterWins has no"
              + " conflictResolutionProcedure");
    }
    if (!path.isEmpty()) {
      KeyPath.check(path, "conflict resolution");
    }
    return new Writer()
        .put("mode", mode)
        .put("conflictResolutionPath", custom || !path.isEmpty() ? path : "/_ts")
        .put("conflictResolutionProcedure", procedure)
        .done();
  }

  static Value geospatial(@Nullable Members config) {
    String type =
        config == null
            ? "Geography"
            : config.oneOf("type", "Geography", List.of("Geography", "Geometry"));
    if (type.equals("Geometry")) {
      throw new MalformedBody(
          "geospatialConfig.type 'Geometry' is not supported: distances and areas are those on the"
              + " earth. Use 'Geography'");
    }
    return new Writer().put("type", type).done();
  }

  static List<Value> computedProperties(Members container) {
    Set<String> names = new HashSet<>();
    List<Value> properties =
        container.objects(
            "computedProperties",
            property -> {
              String name = property.requiredText("name");
              if (RESERVED.contains(name) || name.contains("/")) {
                throw property.wrong("name", "no system property and without a slash");
              }
              if (!names.add(name)) {
                throw new MalformedBody("The computed property '" + name + "' is given twice");
              }
              String query = property.requiredText("query");
              requireQuery(name, query);
              return new Writer().put("name", name).put("query", query).done();
            });
    if (properties.size() > COMPUTED_PROPERTIES_MAX) {
      throw container.wrong(
          "computedProperties", "an array of at most " + COMPUTED_PROPERTIES_MAX + " properties");
    }
    return properties;
  }

  private static void requireQuery(String name, String query) {
    try {
      String problem = ComputedProperties.problem(Queries.compile(query).query());
      if (problem != null) {
        throw new MalformedBody(
            "The query of the computed property '"
                + name
                + "' must be SELECT VALUE … FROM c, "
                + problem);
      }
    } catch (QueryRefused e) {
      throw new MalformedBody(
          "The query of the computed property '"
              + name
              + "' is wrong: "
              + new String(Json.write(e.body()), StandardCharsets.UTF_8));
    }
  }

  static @Nullable Value changeFeed(@Nullable Members policy) {
    if (policy == null) {
      return null;
    }
    int minutes =
        policy.has("retentionDuration")
            ? policy.integerBetween("retentionDuration", 0, Integer.MAX_VALUE)
            : 0;
    return new Writer().put("retentionDuration", minutes).done();
  }

  /** A policy that clients alone act upon: its shape is checked, its content kept as it is. */
  static @Nullable Value clientEncryption(@Nullable Members policy) {
    if (policy == null) {
      return null;
    }
    List<Value> paths =
        policy.objects(
            "includedPaths",
            entry ->
                new Writer()
                    .put("path", KeyPath.check(entry.requiredText("path"), "encryption"))
                    .put("clientEncryptionKeyId", entry.requiredText("clientEncryptionKeyId"))
                    .put("encryptionType", entry.requiredText("encryptionType"))
                    .put("encryptionAlgorithm", entry.requiredText("encryptionAlgorithm"))
                    .done());
    return new Writer()
        .put("includedPaths", new Value.Arr(paths))
        .put("policyFormatVersion", policy.integer("policyFormatVersion"))
        .done();
  }

  static @Nullable Value materializedView(@Nullable Members view) {
    if (view == null) {
      return null;
    }
    return new Writer()
        .put("sourceCollectionId", view.text("sourceCollectionId"))
        .put("sourceCollectionRid", view.text("sourceCollectionRid"))
        .put("definition", view.requiredText("definition"))
        .done();
  }
}
