package io.orrery.nosql;

import io.netty.handler.codec.http.HttpMethod;
import io.orrery.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Partition key ranges. The Java SDK reads them again and again with the etag of the answer before,
 * until it is told that nothing changed.
 */
final class RangeRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read(
              "ListPartitionKeyRanges",
              HttpMethod.GET,
              ResourcePath.Shape.RANGES,
              RangeRoutes::list));

  private RangeRoutes() {}

  private static Operation list(NosqlRequest request) {
    @Nullable String known = request.header(NosqlHeaders.IF_NONE_MATCH);
    return new Operation.ReadPartitionKeyRanges(
        NosqlCodec.container(request),
        known == null || known.equals("*") ? null : NosqlCodec.etag(known));
  }
}
