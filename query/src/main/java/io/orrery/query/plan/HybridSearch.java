package io.orrery.query.plan;

import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A ranking whose scores need statistics of the whole container: the client gathers them, puts them
 * into one query per score and fuses the answers.
 */
public record HybridSearch(
    String globalStatisticsQuery,
    List<QueryInfo> components,
    List<Double> weights,
    @Nullable Long skip,
    @Nullable Long take,
    boolean requiresGlobalStatistics)
    implements QueryPlan.Merge {

  /** The {@code hybridSearchQueryInfo} of a plan as clients read it; weights stay doubles. */
  public Value asValue() {
    Map<String, Value> info = new LinkedHashMap<>();
    info.put("globalStatisticsQuery", Value.of(globalStatisticsQuery));
    info.put(
        "componentQueryInfos", new Value.Arr(components.stream().map(QueryInfo::asValue).toList()));
    info.put("componentWithoutPayloadQueryInfos", new Value.Arr(List.of()));
    info.put("projectionQueryInfo", Value.NULL);
    info.put(
        "componentWeights",
        new Value.Arr(weights.stream().map(w -> (Value) new Value.Float64(w)).toList()));
    info.put("skip", skip == null ? Value.NULL : Value.of(skip));
    info.put("take", take == null ? Value.NULL : Value.of(take));
    info.put("requiresGlobalStatistics", Value.of(requiresGlobalStatistics));
    return new Value.Obj(info);
  }
}
