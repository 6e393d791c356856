package io.orrery.nosql;

import io.orrery.http.Percent;
import io.orrery.operation.Body;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.SqlQuery;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries as clients write them: a JSON document with parameters, or the bare text. */
final class QueryDocument {
  private static final String QUERY_JSON = "application/query+json";
  private static final String SQL = "application/sql";

  private QueryDocument() {}

  /** Whether a POST to a feed asks a query instead of creating something. */
  static boolean isIn(NosqlRequest request) {
    return request.says(NosqlHeaders.IS_QUERY)
        || isOfType(request, QUERY_JSON)
        || isOfType(request, SQL);
  }

  static SqlQuery read(NosqlRequest request) {
    if (isOfType(request, SQL)) {
      String text = Percent.strictUtf8(request.body().array());
      if (text == null || text.isBlank()) {
        throw RefusedRequest.bad("The body is no query text in UTF-8.");
      }
      return new SqlQuery(text, Map.of());
    }
    Value document = Json.parse(request.body().array());
    if (!(JsonMembers.at(document, "query") instanceof Value.Text(String text))) {
      throw RefusedRequest.bad("A query is an object with a string 'query'.");
    }
    return new SqlQuery(text, parameters(JsonMembers.at(document, "parameters")));
  }

  static QueryOptions options(NosqlRequest request) {
    QueryOptions.IndexMetrics indexMetrics =
        request.says(NosqlHeaders.INDEX_METRICS_V2)
            ? QueryOptions.IndexMetrics.V2
            : request.says(NosqlHeaders.INDEX_METRICS)
                ? QueryOptions.IndexMetrics.V1
                : QueryOptions.IndexMetrics.NONE;
    return new QueryOptions(
        request.says(NosqlHeaders.CROSS_PARTITION),
        request.says(NosqlHeaders.QUERY_METRICS),
        indexMetrics,
        continuationBytesMax(request));
  }

  private static int continuationBytesMax(NosqlRequest request) {
    String header = request.header(NosqlHeaders.CONTINUATION_LIMIT);
    if (header == null) {
      return QueryOptions.CONTINUATION_BYTES_MAX;
    }
    int kilobytes = NosqlCodec.number(header, NosqlHeaders.CONTINUATION_LIMIT);
    if (kilobytes < 1) {
      throw RefusedRequest.bad(
          "Invalid value for request header " + NosqlHeaders.CONTINUATION_LIMIT + ".");
    }
    return QueryOptions.CONTINUATION_BYTES_MAX;
  }

  /** What the client can merge; with or without blanks behind the commas. */
  static Set<String> features(NosqlRequest request) {
    String header = request.header(NosqlHeaders.QUERY_FEATURES);
    return header == null
        ? Set.of()
        : Arrays.stream(header.split(",", -1)).map(String::strip).collect(Collectors.toSet());
  }

  private static Map<String, Body> parameters(Value value) {
    List<Value> given =
        switch (value) {
          case Value.Undefined u -> List.of();
          case Value.Null n -> List.of();
          case Value.Arr(var items) -> items;
          case Value.Bool b -> throw notParameters();
          case Value.Num n -> throw notParameters();
          case Value.Text t -> throw notParameters();
          case Value.Obj o -> throw notParameters();
        };
    var parameters = new LinkedHashMap<String, Body>();
    for (Value parameter : given) {
      Value content = JsonMembers.at(parameter, "value");
      if (!(JsonMembers.at(parameter, "name") instanceof Value.Text(String name))) {
        throw notParameters();
      }
      // A parameter without a value stays undefined: comparisons with it hold for nothing.
      if (!(content instanceof Value.Undefined)) {
        parameters.put(name, Body.json(Json.write(content)));
      }
    }
    return parameters;
  }

  private static RefusedRequest notParameters() {
    return RefusedRequest.bad("The parameters of a query are objects with a name and a value.");
  }

  private static boolean isOfType(NosqlRequest request, String type) {
    @Nullable String given = request.header(NosqlHeaders.CONTENT_TYPE);
    return given != null && given.regionMatches(true, 0, type, 0, type.length());
  }
}
