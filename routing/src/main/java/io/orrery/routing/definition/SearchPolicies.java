package io.orrery.routing.definition;

import io.orrery.routing.definition.Members.Writer;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The vectors and texts of a container, and the indexes that lean on them. */
final class SearchPolicies {
  private static final int DIMENSIONS_MAX = 4_096;
  private static final int FLAT_DIMENSIONS_MAX = 505;
  private static final List<String> ELEMENT_TYPES = List.of("float32", "float16", "uint8", "int8");
  private static final List<String> DISTANCES = List.of("cosine", "euclidean", "dotproduct");
  private static final List<String> VECTOR_INDEXES = List.of("flat", "quantizedFlat", "diskANN");

  private final Map<String, Integer> dimensionsByPath = new HashMap<>();
  private final Set<String> textPaths = new HashSet<>();
  private final @Nullable Value vectors;
  private final @Nullable Value texts;

  private SearchPolicies(@Nullable Members vectorPolicy, @Nullable Members textPolicy) {
    vectors = vectorPolicy == null ? null : vectors(vectorPolicy);
    texts = textPolicy == null ? null : texts(textPolicy);
  }

  static SearchPolicies of(Members container) {
    return new SearchPolicies(
        container.object("vectorEmbeddingPolicy"), container.object("fullTextPolicy"));
  }

  @Nullable Value vectorEmbeddingPolicy() {
    return vectors;
  }

  @Nullable Value fullTextPolicy() {
    return texts;
  }

  List<Value> vectorIndexes(Members indexingPolicy) {
    return indexingPolicy.objects("vectorIndexes", this::vectorIndex);
  }

  List<Value> fullTextIndexes(Members indexingPolicy) {
    return indexingPolicy.objects("fullTextIndexes", this::fullTextIndex);
  }

  private Value vectors(Members policy) {
    List<Value> embeddings = policy.objects("vectorEmbeddings", this::embedding);
    return new Writer().put("vectorEmbeddings", new Value.Arr(embeddings)).done();
  }

  private Value embedding(Members entry) {
    String path = KeyPath.check(entry.requiredText("path"), "vector embedding");
    int dimensions = entry.integerBetween("dimensions", 1, DIMENSIONS_MAX);
    if (dimensionsByPath.put(path, dimensions) != null) {
      throw new MalformedBody("The vector embedding path '" + path + "' is given more than once");
    }
    return new Writer()
        .put("path", path)
        .put("dataType", entry.oneOf("dataType", "float32", ELEMENT_TYPES))
        .put("dimensions", dimensions)
        .put("distanceFunction", entry.oneOf("distanceFunction", "cosine", DISTANCES))
        .done();
  }

  private Value vectorIndex(Members entry) {
    String path = entry.requiredText("path");
    Integer dimensions = dimensionsByPath.get(path);
    if (dimensions == null) {
      throw new MalformedBody(
          "The vector index on '"
              + path
              + "' needs an embedding with the same path in vectorEmbeddingPolicy");
    }
    String type = entry.oneOf("type", "", VECTOR_INDEXES);
    if (type.equals("flat") && dimensions > FLAT_DIMENSIONS_MAX) {
      throw new MalformedBody(
          "A flat vector index takes at most "
              + FLAT_DIMENSIONS_MAX
              + " dimensions; use quantizedFlat or diskANN for '"
              + path
              + "'");
    }
    entry.texts("vectorIndexShardKeys").forEach(key -> KeyPath.check(key, "vector shard key"));
    return new Writer()
        .put("path", path)
        .put("type", type)
        .put("quantizationByteSize", positive(entry, "quantizationByteSize"))
        .put("indexingSearchListSize", positive(entry, "indexingSearchListSize"))
        .putUnlessEmpty("vectorIndexShardKeys", entry.array("vectorIndexShardKeys"))
        .put("quantizerType", entry.text("quantizerType"))
        .done();
  }

  private static @Nullable Integer positive(Members entry, String name) {
    return entry.has(name) ? entry.integerBetween(name, 1, Integer.MAX_VALUE) : null;
  }

  private Value texts(Members policy) {
    List<Value> paths =
        policy.objects(
            "fullTextPaths",
            entry -> {
              String path = KeyPath.check(entry.requiredText("path"), "full text");
              if (!textPaths.add(path)) {
                throw new MalformedBody("The full text path '" + path + "' is given twice");
              }
              return new Writer().put("path", path).put("language", entry.text("language")).done();
            });
    return new Writer()
        .put("defaultLanguage", policy.text("defaultLanguage"))
        .put("fullTextPaths", new Value.Arr(paths))
        .done();
  }

  private Value fullTextIndex(Members entry) {
    String path = entry.requiredText("path");
    if (!textPaths.contains(path)) {
      throw new MalformedBody(
          "The full text index on '"
              + path
              + "' needs an entry with the same path in fullTextPolicy.fullTextPaths");
    }
    return new Writer().put("path", path).done();
  }
}
