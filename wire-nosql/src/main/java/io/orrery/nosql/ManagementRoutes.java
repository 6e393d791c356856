package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.orrery.nosql.ResourcePath.Shape.CLOCK;
import static io.orrery.nosql.ResourcePath.Shape.CLOCK_ADVANCE;
import static io.orrery.nosql.ResourcePath.Shape.KEY_ROTATION;
import static io.orrery.nosql.ResourcePath.Shape.PARTITIONS;
import static io.orrery.nosql.ResourcePath.Shape.PARTITION_MERGE;
import static io.orrery.nosql.ResourcePath.Shape.PARTITION_SPLIT;
import static io.orrery.nosql.ResourcePath.Shape.RESHAPE;
import static io.orrery.nosql.ResourcePath.Shape.RESHAPES;
import static io.orrery.nosql.ResourcePath.Shape.RESHAPE_ADVANCE;
import static io.orrery.nosql.ResourcePath.Shape.SURVEY;

import io.orrery.http.AsciiNumbers;
import io.orrery.http.Percent;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Partitions, their splits and merges, and the clock: what operators ask, no part of the service.
 */
final class ManagementRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("SurveyContainers", GET, SURVEY, request -> new Operation.SurveyContainers()),
          Route.read("SurveyPartitions", GET, PARTITIONS, ManagementRoutes::partitions),
          Route.write("SplitPartition", POST, PARTITION_SPLIT, ManagementRoutes::split),
          Route.write("MergePartitions", POST, PARTITION_MERGE, ManagementRoutes::merge),
          Route.read("ListReshapes", GET, RESHAPES, ManagementRoutes::reshapes),
          Route.read("ReadReshape", GET, RESHAPE, ManagementRoutes::reshape),
          Route.write("AdvanceReshape", POST, RESHAPE_ADVANCE, ManagementRoutes::advance),
          Route.read("ReadClock", GET, CLOCK, request -> new Operation.ReadClock()),
          Route.write("AdvanceClock", POST, CLOCK_ADVANCE, ManagementRoutes::advanceClock),
          Route.write(
              "RotateKey",
              POST,
              KEY_ROTATION,
              request -> new Operation.RotateKey(request.path().name(0))));

  private static final String CONTAINER_PARAMETER = "container=";

  private ManagementRoutes() {}

  private static Operation partitions(NosqlRequest request) {
    return new Operation.SurveyPartitions(NosqlCodec.container(request));
  }

  private static Operation split(NosqlRequest request) {
    var asked = ManagementDocument.read(request.body(), "mode", "epk", "stepped");
    return new Operation.SplitPartition(
        NosqlCodec.container(request), request.path().name(2), asked.cut(), asked.says("stepped"));
  }

  private static Operation merge(NosqlRequest request) {
    var asked = ManagementDocument.read(request.body(), "ids", "stepped");
    return new Operation.MergePartitions(
        NosqlCodec.container(request), asked.texts("ids"), asked.says("stepped"));
  }

  private static Operation reshapes(NosqlRequest request) {
    return new Operation.ListReshapes(container(request.target()));
  }

  /** The container that the query of the target names, as database/container. */
  private static @Nullable ContainerRef container(String target) {
    int query = target.indexOf('?');
    if (query < 0) {
      return null;
    }
    String parameter = target.substring(query + 1);
    String named =
        parameter.startsWith(CONTAINER_PARAMETER)
            ? Percent.decode(parameter.substring(CONTAINER_PARAMETER.length()))
            : null;
    int slash = named == null ? -1 : named.indexOf('/');
    if (named == null || slash < 1 || slash == named.length() - 1) {
      throw RefusedRequest.bad("The only parameter is container=DATABASE/CONTAINER.");
    }
    return ContainerRef.of(named.substring(0, slash), named.substring(slash + 1));
  }

  private static Operation reshape(NosqlRequest request) {
    return new Operation.ReadReshape(id(request));
  }

  private static Operation advance(NosqlRequest request) {
    return new Operation.AdvanceReshape(id(request));
  }

  private static long id(NosqlRequest request) {
    String name = request.path().name(0);
    try {
      return AsciiNumbers.parseLong(name);
    } catch (NumberFormatException notOne) {
      throw RefusedRequest.bad("The id of an operation is a number.");
    }
  }

  private static Operation advanceClock(NosqlRequest request) {
    return new Operation.AdvanceClock(
        ManagementDocument.read(request.body(), "milliseconds").milliseconds());
  }
}
