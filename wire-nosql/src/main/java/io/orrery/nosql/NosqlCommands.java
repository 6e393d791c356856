package io.orrery.nosql;

import io.netty.handler.codec.http.HttpMethod;
import io.orrery.operation.ConsistencyLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of everything that can be asked over REST; the first line that fits is taken. */
final class NosqlCommands {
  private final List<Route> table = new ArrayList<>();
  private final Map<ResourcePath.Shape, List<Route>> byShape =
      new EnumMap<>(ResourcePath.Shape.class);

  NosqlCommands(ConsistencyLevel consistency) {
    table.addAll(new AccountRoutes(consistency).routes());
    table.addAll(DatabaseRoutes.ROUTES);
    table.addAll(ContainerRoutes.ROUTES);
    table.addAll(RangeRoutes.ROUTES);
    table.addAll(ItemRoutes.ROUTES);
    table.addAll(ScriptRoutes.ROUTES);
    table.addAll(ConflictRoutes.ROUTES);
    table.addAll(UserRoutes.ROUTES);
    table.addAll(PermissionRoutes.ROUTES);
    table.addAll(OfferRoutes.ROUTES);
    table.addAll(ManagementRoutes.ROUTES);
    for (Route route : table) {
      byShape.computeIfAbsent(route.shape(), shape -> new ArrayList<>()).add(route);
    }
  }

  List<Route> table() {
    return table;
  }

  /** The route of a request, or null when there is none. */
  @Nullable Route find(NosqlRequest request) {
    List<Route> routes = routesOf(request.path());
    for (int i = 0; i < routes.size(); i++) {
      Route route = routes.get(i);
      if (route.method().equals(request.method()) && route.when().test(request)) {
        return route;
      }
    }
    return null;
  }

  /** Why there is no route: an unknown path, or a method that the path does not know. */
  NosqlError noRoute(NosqlRequest request) {
    List<Route> routes = routesOf(request.path());
    if (routes.isEmpty()) {
      return NosqlError.listed(
          404, "NotFound", "The requested resource is not served by this version.");
    }
    List<String> methods =
        routes.stream().map(Route::method).distinct().map(HttpMethod::name).toList();
    return NosqlError.listed(
        405,
        "MethodNotAllowed",
        "The requested verb is not supported. "
            + request.path().shape().template()
            + " takes "
            + String.join(", ", methods)
            + ".");
  }

  private List<Route> routesOf(ResourcePath path) {
    List<Route> routes = byShape.get(path.shape());
    return routes == null ? List.of() : routes;
  }
}
