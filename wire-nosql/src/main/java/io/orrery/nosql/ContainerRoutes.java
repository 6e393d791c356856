package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.CONTAINER;
import static io.orrery.nosql.ResourcePath.Shape.CONTAINERS;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import java.util.List;

/** Containers. */
final class ContainerRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListContainers", GET, CONTAINERS, ContainerRoutes::list),
          Route.read("QueryContainers", POST, CONTAINERS, ContainerRoutes::query)
              .when(QueryDocument::isIn),
          Route.write("CreateContainer", POST, CONTAINERS, ContainerRoutes::create),
          Route.read("ReadContainer", GET, CONTAINER, ContainerRoutes::read),
          Route.write("ReplaceContainer", PUT, CONTAINER, ContainerRoutes::replace),
          Route.write("DeleteContainer", DELETE, CONTAINER, ContainerRoutes::delete));

  private ContainerRoutes() {}

  private static ResourceFeed feed(NosqlRequest request) {
    return new ResourceFeed.Containers(NosqlCodec.database(request));
  }

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(feed(request), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        feed(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation create(NosqlRequest request) {
    return new Operation.CreateContainer(
        NosqlCodec.database(request), NosqlCodec.body(request), NosqlCodec.throughput(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadContainer(
        NosqlCodec.container(request), NosqlCodec.precondition(request));
  }

  private static Operation replace(NosqlRequest request) {
    return new Operation.ReplaceContainer(
        NosqlCodec.container(request), NosqlCodec.body(request), NosqlCodec.precondition(request));
  }

  private static Operation delete(NosqlRequest request) {
    return new Operation.DeleteContainer(
        NosqlCodec.container(request), NosqlCodec.precondition(request));
  }
}
