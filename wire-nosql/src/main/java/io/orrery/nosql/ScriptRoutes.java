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

import io.netty.util.AsciiString;
import io.orrery.operation.Body;
import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
          Route.write("ExecuteStoredProcedure", POST, PROCEDURE, ScriptRoutes::execute),
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

  private static final Body NO_ARGUMENTS = Body.json("[]");

  /** Encoded it may be nine times as long, and clients take no more than 16 KB of headers. */
  private static final int LOG_UNITS_MAX = 1_000;

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

  /** Older clients send no arguments as no body. */
  private static Operation execute(NosqlRequest request) {
    Body arguments = request.body().size() == 0 ? NO_ARGUMENTS : NosqlCodec.body(request);
    return new Operation.ExecuteScript(
        script(request), NosqlCodec.partitionKey(request), arguments);
  }

  /** The header with what a script wrote to its console, for clients that want it. */
  static AsciiString logged(NosqlRequest request, String log) {
    if (log.isEmpty() || !request.says(NosqlHeaders.SCRIPT_LOGGING)) {
      return AsciiString.EMPTY_STRING;
    }
    String text = log.length() <= LOG_UNITS_MAX ? log : log.substring(0, LOG_UNITS_MAX) + "...";
    String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    return new AsciiString("x-ms-documentdb-script-log-results: " + encoded + "\r\n");
  }
}
