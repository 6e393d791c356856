package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.orrery.nosql.ResourcePath.Shape.CONFLICT;
import static io.orrery.nosql.ResourcePath.Shape.CONFLICTS;
import static io.orrery.nosql.ResourcePath.Shape.ENCRYPTION_KEYS;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import java.util.List;

/** Feeds that clients may look at, and that are always empty here: one region, no key store. */
final class ConflictRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListConflicts", GET, CONFLICTS, ConflictRoutes::list),
          Route.read("QueryConflicts", POST, CONFLICTS, ConflictRoutes::query)
              .when(QueryDocument::isIn),
          Route.read(
              "ReadConflict",
              GET,
              CONFLICT,
              request ->
                  new Operation.ReadConflict(
                      NosqlCodec.container(request), request.path().name(2))),
          Route.write(
              "DeleteConflict",
              DELETE,
              CONFLICT,
              request ->
                  new Operation.DeleteConflict(
                      NosqlCodec.container(request), request.path().name(2))),
          Route.read("ListClientEncryptionKeys", GET, ENCRYPTION_KEYS, ConflictRoutes::listKeys),
          Route.read("QueryClientEncryptionKeys", POST, ENCRYPTION_KEYS, ConflictRoutes::queryKeys)
              .when(QueryDocument::isIn));

  private ConflictRoutes() {}

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(conflicts(request), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        conflicts(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static ResourceFeed conflicts(NosqlRequest request) {
    return new ResourceFeed.Conflicts(NosqlCodec.container(request));
  }

  private static Operation listKeys(NosqlRequest request) {
    return new Operation.ListResources(keys(request), NosqlCodec.page(request), null);
  }

  private static Operation queryKeys(NosqlRequest request) {
    return new Operation.ListResources(
        keys(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static ResourceFeed keys(NosqlRequest request) {
    return new ResourceFeed.EncryptionKeys(NosqlCodec.database(request));
  }
}
