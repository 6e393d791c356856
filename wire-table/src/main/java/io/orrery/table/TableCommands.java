package io.orrery.table;

import io.orrery.table.TablePath.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table of everything that can be asked; the first line that fits is taken. */
enum TableCommands {
  TABLE_ACL("GET", Shape.ENTITIES, TableCommands::isComponent, NotServed::new),
  SET_TABLE_ACL("PUT", Shape.ENTITIES, TableCommands::isComponent, NotServed::new),
  SERVICE_PROPERTIES("GET", Shape.SERVICE, TableCommands::isComponent, NotServed::new),
  SET_SERVICE_PROPERTIES("PUT", Shape.SERVICE, TableCommands::isComponent, NotServed::new),
  LIST_TABLES("GET", Shape.TABLES, always -> true, ListTables::new),
  CREATE_TABLE("POST", Shape.TABLES, always -> true, CreateTable::new),
  READ_TABLE("GET", Shape.TABLE, always -> true, ReadTable::new),
  DELETE_TABLE("DELETE", Shape.TABLE, always -> true, DeleteTable::new),
  QUERY_ENTITIES("GET", Shape.ENTITIES, always -> true, QueryEntities::new),
  INSERT_ENTITY("POST", Shape.ENTITIES, always -> true, WriteEntity::new),
  READ_ENTITY("GET", Shape.ENTITY, always -> true, ReadEntity::new),
  REPLACE_ENTITY("PUT", Shape.ENTITY, always -> true, WriteEntity::new),
  MERGE_ENTITY("PATCH", Shape.ENTITY, always -> true, WriteEntity::new),
  DELETE_ENTITY("DELETE", Shape.ENTITY, always -> true, WriteEntity::new),
  BATCH("POST", Shape.BATCH, always -> true, Batch::new);

  private final String method;
  private final Shape shape;
  private final Predicate<TableRequest> when;
  private final Function<Command.Call, Command> command;
  private final String routeName;

  TableCommands(
      String method,
      Shape shape,
      Predicate<TableRequest> when,
      Function<Command.Call, Command> command) {
    this.method = method;
    this.shape = shape;
    this.when = when;
    this.command = command;
    this.routeName = "Table" + camelCase(name());
  }

  private static String camelCase(String name) {
    var text = new StringBuilder();
    for (String word : name.split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  private static boolean isComponent(TableRequest request) {
    return request.parameters().get("comp") != null;
  }

  String method() {
    return method;
  }

  Shape shape() {
    return shape;
  }

  /** The name under which requests are counted. */
  String routeName() {
    return routeName;
  }

  Command command(Command.Call call) {
    return command.apply(call);
  }

  /** The line of a request, or null when there is none. */
  static @Nullable TableCommands of(TableRequest request) {
    for (TableCommands line : LINES) {
      if (line.shape == request.path().shape()
          && line.method.equals(request.method())
          && line.when.test(request)) {
        return line;
      }
    }
    return null;
  }

  /** Why there is none: an unknown path, or a method that the path does not know. */
  static TableError noRoute(TableRequest request) {
    List<String> methods =
        Arrays.stream(LINES)
            .filter(line -> line.shape == request.path().shape())
            .map(TableCommands::method)
            .distinct()
            .toList();
    if (request.path().shape() == Shape.UNKNOWN || methods.isEmpty()) {
      return TableErrors.BAD_PATH;
    }
    return TableError.of(
        405,
        "MethodNotAllowed",
        "The requested method is not allowed on the specified resource. "
            + request.path().shape().template()
            + " takes "
            + String.join(", ", methods)
            + ".");
  }

  private static final TableCommands[] LINES = values();
}
