package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.orrery.nosql.ResourcePath.Shape.DATABASE;
import static io.orrery.nosql.ResourcePath.Shape.DATABASES;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import java.util.List;

/** Databases. */
final class DatabaseRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListDatabases", GET, DATABASES, DatabaseRoutes::list),
          Route.read("QueryDatabases", POST, DATABASES, DatabaseRoutes::query)
              .when(QueryDocument::isIn),
          Route.write("CreateDatabase", POST, DATABASES, DatabaseRoutes::create),
          Route.read("ReadDatabase", GET, DATABASE, DatabaseRoutes::read),
          Route.write("DeleteDatabase", DELETE, DATABASE, DatabaseRoutes::delete));

  private DatabaseRoutes() {}

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(
        new ResourceFeed.Databases(), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        new ResourceFeed.Databases(), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation create(NosqlRequest request) {
    return new Operation.CreateDatabase(NosqlCodec.body(request), NosqlCodec.throughput(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadDatabase(
        NosqlCodec.database(request), NosqlCodec.precondition(request));
  }

  private static Operation delete(NosqlRequest request) {
    return new Operation.DeleteDatabase(
        NosqlCodec.database(request), NosqlCodec.precondition(request));
  }
}
