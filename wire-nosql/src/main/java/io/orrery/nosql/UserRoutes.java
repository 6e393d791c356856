package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.USER;
import static io.orrery.nosql.ResourcePath.Shape.USERS;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.UserRef;
import java.util.List;

/** Users of databases. */
final class UserRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListUsers", GET, USERS, UserRoutes::list),
          Route.read("QueryUsers", POST, USERS, UserRoutes::query).when(QueryDocument::isIn),
          Route.write("UpsertUser", POST, USERS, UserRoutes::upsert)
              .when(request -> request.says(NosqlHeaders.IS_UPSERT)),
          Route.write("CreateUser", POST, USERS, UserRoutes::create),
          Route.read("ReadUser", GET, USER, UserRoutes::read),
          Route.write("ReplaceUser", PUT, USER, UserRoutes::replace),
          Route.write("DeleteUser", DELETE, USER, UserRoutes::delete));

  private UserRoutes() {}

  static UserRef user(NosqlRequest request) {
    return new UserRef(NosqlCodec.database(request), request.path().name(1));
  }

  private static ResourceFeed feed(NosqlRequest request) {
    return new ResourceFeed.Users(NosqlCodec.database(request));
  }

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(feed(request), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        feed(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation create(NosqlRequest request) {
    return new Operation.CreateUser(NosqlCodec.database(request), NosqlCodec.body(request));
  }

  private static Operation upsert(NosqlRequest request) {
    return new Operation.UpsertUser(
        NosqlCodec.database(request), NosqlCodec.body(request), NosqlCodec.precondition(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadUser(user(request), NosqlCodec.precondition(request));
  }

  private static Operation replace(NosqlRequest request) {
    return new Operation.ReplaceUser(
        user(request), NosqlCodec.body(request), NosqlCodec.precondition(request));
  }

  private static Operation delete(NosqlRequest request) {
    return new Operation.DeleteUser(user(request), NosqlCodec.precondition(request));
  }
}
