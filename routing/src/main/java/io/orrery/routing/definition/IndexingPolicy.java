package io.orrery.routing.definition;

import io.orrery.routing.definition.Members.Writer;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a container indexes; everything unless it is told otherwise. */
final class IndexingPolicy {
  private static final String ETAG_PATH = "/\"_etag\"/?";
  private static final int PATHS_MAX = 1_500;
  private static final int COMPOSITES_MAX = 100;
  private static final int COMPOSITE_PATHS_MIN = 2;
  private static final int COMPOSITE_PATHS_MAX = 8;

  // Lazy indexing is no longer sold to new accounts; here it is kept up to date like consistent.
  private static final List<String> MODES = List.of("consistent", "none", "lazy");
  private static final List<String> ORDERS = List.of("ascending", "descending");
  private static final List<String> SHAPES =
      List.of("Point", "LineString", "Polygon", "MultiPolygon");

  private IndexingPolicy() {}

  /** The policy as it is kept and shown, defaults filled in. */
  static Value.Obj normalise(@Nullable Members policy, SearchPolicies search) {
    Members given = policy == null ? Members.of(new Writer().done(), "indexingPolicy") : policy;
    String mode = given.oneOf("indexingMode", "consistent", MODES);
    boolean none = mode.equals("none");
    var included = paths(given, "includedPaths");
    var excluded = paths(given, "excludedPaths");
    if (!none) {
      complete(given, included, excluded);
    }
    refuseRepeated(included, excluded);
    return new Writer()
        .put("indexingMode", mode)
        .put("automatic", given.flag("automatic", !none))
        .put("includedPaths", new Value.Arr(included))
        .put("excludedPaths", new Value.Arr(excluded))
        .putUnlessEmpty("compositeIndexes", composites(given))
        .putUnlessEmpty("spatialIndexes", given.objects("spatialIndexes", IndexingPolicy::spatial))
        .putUnlessEmpty("vectorIndexes", search.vectorIndexes(given))
        .putUnlessEmpty("fullTextIndexes", search.fullTextIndexes(given))
        .done();
  }

  private static List<Value> paths(Members policy, String list) {
    List<Value> paths =
        policy.objects(
            list,
            entry ->
                new Writer()
                    .put("path", path(entry, IndexPath::pattern))
                    // The index kinds of older clients have no meaning any more; they are kept.
                    .putUnlessEmpty("indexes", entry.array("indexes"))
                    .done());
    if (paths.size() > PATHS_MAX) {
      throw policy.wrong(list, "an array of at most " + PATHS_MAX + " paths");
    }
    return paths;
  }

  private static String path(Members entry, UnaryOperator<String> check) {
    return check.apply(entry.requiredText("path"));
  }

  private static void complete(Members given, List<Value> included, List<Value> excluded) {
    if (!given.has("includedPaths") && !holds(excluded, IndexPath.EVERYTHING)) {
      included.add(pathObject(IndexPath.EVERYTHING));
    }
    if (!holds(included, IndexPath.EVERYTHING) && !holds(excluded, IndexPath.EVERYTHING)) {
      if (included.isEmpty() && excluded.isEmpty()) {
        included.add(pathObject(IndexPath.EVERYTHING));
      } else {
        throw new MalformedBody(
            "The special mandatory indexing path \"/*\" is not provided in any of the path type"
                + " sets. Please provide this path in one of the sets.");
      }
    }
    if (!holds(included, ETAG_PATH) && !holds(excluded, ETAG_PATH)) {
      excluded.add(pathObject(ETAG_PATH));
    }
  }

  private static Value pathObject(String path) {
    return new Writer().put("path", path).done();
  }

  private static boolean holds(List<Value> paths, String path) {
    return paths.stream().anyMatch(entry -> pathOf(entry).equals(Value.of(path)));
  }

  private static Value pathOf(Value entry) {
    return entry instanceof Value.Obj(var members)
        ? members.getOrDefault("path", Value.UNDEFINED)
        : Value.UNDEFINED;
  }

  private static void refuseRepeated(List<Value> included, List<Value> excluded) {
    var seen = new HashSet<Value>();
    for (List<Value> list : List.of(included, excluded)) {
      for (Value entry : list) {
        if (!seen.add(pathOf(entry))) {
          throw new MalformedBody(
              "The indexing path '"
                  + ((Value.Text) pathOf(entry)).value()
                  + "' is given more than once. Name it in one set, once.");
        }
      }
    }
  }

  private static List<Value> composites(Members policy) {
    var indexes = new ArrayList<Value>();
    for (Value index : policy.array("compositeIndexes")) {
      if (!(index instanceof Value.Arr(var keys))
          || keys.size() < COMPOSITE_PATHS_MIN
          || keys.size() > COMPOSITE_PATHS_MAX) {
        throw policy.wrong(
            "compositeIndexes",
            "an array of arrays of "
                + COMPOSITE_PATHS_MIN
                + " to "
                + COMPOSITE_PATHS_MAX
                + " paths each");
      }
      indexes.add(composite(keys));
    }
    if (indexes.size() > COMPOSITES_MAX) {
      throw policy.wrong("compositeIndexes", "an array of at most " + COMPOSITES_MAX + " indexes");
    }
    return indexes;
  }

  private static Value composite(List<Value> keys) {
    var written = new ArrayList<Value>();
    Set<String> seen = new HashSet<>();
    for (Value key : keys) {
      Members entry = Members.of(key, "indexingPolicy.compositeIndexes[][]");
      String path = path(entry, IndexPath::property);
      if (!seen.add(path)) {
        throw new MalformedBody("A composite index names the path '" + path + "' twice");
      }
      written.add(
          new Writer()
              .put("path", path)
              .put("order", entry.oneOf("order", "ascending", ORDERS))
              .done());
    }
    return new Value.Arr(written);
  }

  private static Value spatial(Members entry) {
    var types = new ArrayList<Value>();
    for (String type : entry.texts("types")) {
      types.add(
          Value.of(
              SHAPES.stream()
                  .filter(known -> known.equalsIgnoreCase(type))
                  .findFirst()
                  .orElseThrow(() -> entry.wrong("types", "among " + String.join(", ", SHAPES)))));
    }
    if (types.isEmpty()) {
      SHAPES.forEach(shape -> types.add(Value.of(shape)));
    }
    Members box = entry.object("boundingBox");
    return new Writer()
        .put("path", path(entry, IndexPath::pattern))
        .put("types", new Value.Arr(types))
        .put("boundingBox", box == null ? null : entry.value("boundingBox"))
        .done();
  }
}
