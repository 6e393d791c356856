package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.PERMISSION;
import static io.orrery.nosql.ResourcePath.Shape.PERMISSIONS;

import io.orrery.operation.Grant;
import io.orrery.operation.Operation;
import io.orrery.operation.PermissionRef;
import io.orrery.operation.ResourceFeed;
import java.util.List;

/** Permissions of users. What shows one shows a token, so no read-only key is enough for it. */
final class PermissionRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListPermissions", GET, PERMISSIONS, PermissionRoutes::list).revealing(),
          Route.read("QueryPermissions", POST, PERMISSIONS, PermissionRoutes::query)
              .when(QueryDocument::isIn)
              .revealing(),
          Route.write("UpsertPermission", POST, PERMISSIONS, PermissionRoutes::upsert)
              .when(request -> request.says(NosqlHeaders.IS_UPSERT)),
          Route.write("CreatePermission", POST, PERMISSIONS, PermissionRoutes::create),
          Route.read("ReadPermission", GET, PERMISSION, PermissionRoutes::read).revealing(),
          Route.write("ReplacePermission", PUT, PERMISSION, PermissionRoutes::replace),
          Route.write("DeletePermission", DELETE, PERMISSION, PermissionRoutes::delete));

  private PermissionRoutes() {}

  private static PermissionRef permission(NosqlRequest request) {
    return new PermissionRef(UserRoutes.user(request), request.path().name(2));
  }

  /** How long the client wants the token to be good for. */
  private static int validSeconds(NosqlRequest request) {
    String header = request.header(NosqlHeaders.EXPIRY_SECONDS);
    if (header == null) {
      return Grant.VALID_SECONDS_DEFAULT;
    }
    int seconds = NosqlCodec.number(header, NosqlHeaders.EXPIRY_SECONDS);
    if (seconds < 1 || seconds > Grant.VALID_SECONDS_MAX) {
      throw RefusedRequest.bad(
          NosqlHeaders.EXPIRY_SECONDS
              + " must be from 1 to "
              + Grant.VALID_SECONDS_MAX
              + " seconds.");
    }
    return seconds;
  }

  private static ResourceFeed feed(NosqlRequest request) {
    return new ResourceFeed.Permissions(UserRoutes.user(request), validSeconds(request));
  }

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(feed(request), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        feed(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation create(NosqlRequest request) {
    return new Operation.CreatePermission(
        UserRoutes.user(request), NosqlCodec.body(request), validSeconds(request));
  }

  private static Operation upsert(NosqlRequest request) {
    return new Operation.UpsertPermission(
        UserRoutes.user(request),
        NosqlCodec.body(request),
        NosqlCodec.precondition(request),
        validSeconds(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadPermission(
        permission(request), NosqlCodec.precondition(request), validSeconds(request));
  }

  private static Operation replace(NosqlRequest request) {
    return new Operation.ReplacePermission(
        permission(request),
        NosqlCodec.body(request),
        NosqlCodec.precondition(request),
        validSeconds(request));
  }

  private static Operation delete(NosqlRequest request) {
    return new Operation.DeletePermission(permission(request), NosqlCodec.precondition(request));
  }
}
