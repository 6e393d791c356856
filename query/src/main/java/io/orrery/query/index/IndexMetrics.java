package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What clients are told of the indexes of a query, in the two shapes they know. */
public final class IndexMetrics {
  private static final Value HIGH = Value.of("High");

  private IndexMetrics() {}

  /** The newer shape, sent as it is. */
  public static Value.Obj v2(AccessPlan plan) {
    IndexUse use = plan.use();
    return object(
        "UtilizedIndexes",
        object(
            "SingleIndexes",
            list(use.utilized(), single -> object("IndexSpec", spec(single))),
            "CompositeIndexes",
            list(use.utilizedComposites(), index -> object("IndexSpecs", specs(index)))),
        "PotentialIndexes",
        object(
            "SingleIndexes",
            list(
                use.potential(),
                single -> object("IndexSpec", spec(single), "IndexImpactScore", HIGH)),
            "CompositeIndexes",
            list(
                use.potentialComposites(),
                index -> object("IndexSpecs", specs(index), "IndexImpactScore", HIGH))));
  }

  /** The older shape, sent in base 64. */
  public static Value.Obj v1(AccessPlan plan) {
    IndexUse use = plan.use();
    return object(
        "UtilizedSingleIndexes",
        list(use.utilized(), IndexMetrics::singleV1),
        "PotentialSingleIndexes",
        list(use.potential(), IndexMetrics::singleV1),
        "UtilizedCompositeIndexes",
        list(use.utilizedComposites(), IndexMetrics::compositeV1),
        "PotentialCompositeIndexes",
        list(use.potentialComposites(), IndexMetrics::compositeV1));
  }

  private static Value singleV1(IndexUse.Single single) {
    return object(
        "FilterExpression",
        Value.of(single.condition()),
        "IndexSpec",
        spec(single),
        "FilterPreciseSet",
        Value.of(single.precise()),
        "IndexPreciseSet",
        Value.TRUE,
        "IndexImpactScore",
        HIGH);
  }

  private static Value compositeV1(CompositeIndex index) {
    return object(
        "IndexSpecs", specs(index), "IndexPreciseSet", Value.FALSE, "IndexImpactScore", HIGH);
  }

  private static Value spec(IndexUse.Single single) {
    return Value.of(single.path() + "/?");
  }

  private static Value specs(CompositeIndex index) {
    return list(index.keys(), key -> Value.of(key.path() + (key.descending() ? " DESC" : " ASC")));
  }

  private static <T> Value list(List<T> entries, Function<T, Value> shown) {
    return new Value.Arr(entries.stream().map(shown).toList());
  }

  private static Value.Obj object(Object... namesAndValues) {
    Map<String, Value> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], (Value) namesAndValues[i + 1]);
    }
    return new Value.Obj(members);
  }
}
