package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.FUNCTION;
import static io.orrery.nosql.ResourcePath.Shape.FUNCTIONS;
import static io.orrery.nosql.ResourcePath.Shape.PROCEDURE;
import static io.orrery.nosql.ResourcePath.Shape.PROCEDURES;
import static io.orrery.nosql.ResourcePath.Shape.TRIGGER;
import static io.orrery.nosql.ResourcePath.Shape.TRIGGERS;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import java.util.List;

/** Stored procedures, triggers and user defined functions as resources. */
final class ScriptRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListStoredProcedures", GET, PROCEDURES, ScriptRoutes::list),
          Route.read("QueryStoredProcedures", POST, PROCEDURES, ScriptRoutes::query)
              .when(QueryDocument::isIn),
          Route.write("CreateStoredProcedure", POST, PROCEDURES, ScriptRoutes::create),
          Route.read("ReadStoredProcedure", GET, PROCEDURE, ScriptRoutes::read),
          Route.write("ReplaceStoredProcedure", PUT, PROCEDURE, ScriptRoutes::replace),
          Route.write("DeleteStoredProcedure", DELETE, PROCEDURE, ScriptRoutes::delete),
          Route.read("ListTriggers", GET, TRIGGERS, ScriptRoutes::list),
          Route.read("QueryTriggers", POST, TRIGGERS, ScriptRoutes::query)
              .when(QueryDocument::isIn),
          Route.write("CreateTrigger", POST, TRIGGERS, ScriptRoutes::create),
          Route.read("ReadTrigger", GET, TRIGGER, ScriptRoutes::read),
          Route.write("ReplaceTrigger", PUT, TRIGGER, ScriptRoutes::replace),
          Route.write("DeleteTrigger", DELETE, TRIGGER, ScriptRoutes::delete),
          Route.read("ListUserDefinedFunctions", GET, FUNCTIONS, ScriptRoutes::list),
          Route.read("QueryUserDefinedFunctions", POST, FUNCTIONS, ScriptRoutes::query)
              .when(QueryDocument::isIn),
          Route.write("CreateUserDefinedFunction", POST, FUNCTIONS, ScriptRoutes::create),
          Route.read("ReadUserDefinedFunction", GET, FUNCTION, ScriptRoutes::read),
          Route.write("ReplaceUserDefinedFunction", PUT, FUNCTION, ScriptRoutes::replace),
          Route.write("DeleteUserDefinedFunction", DELETE, FUNCTION, ScriptRoutes::delete));

  private ScriptRoutes() {}

  private static ScriptKind kind(NosqlRequest request) {
    return ScriptKind.ofFeed(request.path().kind(2));
  }

  private static ScriptRef script(NosqlRequest request) {
    return new ScriptRef(NosqlCodec.container(request), kind(request), request.path().name(2));
  }

  private static ResourceFeed feed(NosqlRequest request) {
    return new ResourceFeed.Scripts(NosqlCodec.container(request), kind(request));
  }

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(feed(request), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        feed(request), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation create(NosqlRequest request) {
    return new Operation.CreateScript(
        NosqlCodec.container(request), kind(request), NosqlCodec.body(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadScript(script(request), NosqlCodec.precondition(request));
  }

  private static Operation replace(NosqlRequest request) {
    return new Operation.ReplaceScript(
        script(request), NosqlCodec.body(request), NosqlCodec.precondition(request));
  }

  private static Operation delete(NosqlRequest request) {
    return new Operation.DeleteScript(script(request), NosqlCodec.precondition(request));
  }
}
