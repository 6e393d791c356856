package io.orrery.table;

import io.orrery.table.TablePath.Shape;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of everything that can be asked; the first line that fits is taken. */
final class TableCommands {

  /**
   * One line.
   *
   * @param name under which requests are counted
   * @param component whether it is for requests that name a component of the resource
   */
  record Line(
      String name,
      String method,
      Shape shape,
      boolean component,
      Function<Command.Call, Command> command) {

    /** Whether it changes which tables there are. */
    boolean audited() {
      return !method.equals("GET") && (shape == Shape.TABLES || shape == Shape.TABLE);
    }

    private boolean fits(TableRequest request) {
      return shape == request.path().shape()
          && method.equals(request.method())
          && (!component || request.parameters().get("comp") != null);
    }
  }

  static final List<Line> LINES =
      List.of(
          component("TableReadAcl", "GET", Shape.ENTITIES),
          component("TableReplaceAcl", "PUT", Shape.ENTITIES),
          component("TableReadServiceProperties", "GET", Shape.SERVICE),
          component("TableReplaceServiceProperties", "PUT", Shape.SERVICE),
          line("TableListTables", "GET", Shape.TABLES, ListTables::new),
          line("TableCreateTable", "POST", Shape.TABLES, CreateTable::new),
          line("TableReadTable", "GET", Shape.TABLE, ReadTable::new),
          line("TableDeleteTable", "DELETE", Shape.TABLE, DeleteTable::new),
          line("TableQueryEntities", "GET", Shape.ENTITIES, QueryEntities::new),
          line("TableInsertEntity", "POST", Shape.ENTITIES, WriteEntity::new),
          line("TableReadEntity", "GET", Shape.ENTITY, ReadEntity::new),
          line("TableReplaceEntity", "PUT", Shape.ENTITY, WriteEntity::new),
          line("TableMergeEntity", "PATCH", Shape.ENTITY, WriteEntity::new),
          line("TableDeleteEntity", "DELETE", Shape.ENTITY, WriteEntity::new),
          line("TableBatch", "POST", Shape.BATCH, Batch::new));

  private TableCommands() {}

  private static Line line(
      String name, String method, Shape shape, Function<Command.Call, Command> command) {
    return new Line(name, method, shape, false, command);
  }

  private static Line component(String name, String method, Shape shape) {
    return new Line(name, method, shape, true, NotServed::new);
  }

  /** The line of a request, or null when there is none. */
  static @Nullable Line of(TableRequest request) {
    for (int i = 0; i < LINES.size(); i++) {
      if (LINES.get(i).fits(request)) {
        return LINES.get(i);
      }
    }
    return null;
  }

  /** Why there is none: an unknown path, or a method that the path does not know. */
  static TableError noRoute(TableRequest request) {
    List<String> methods =
        LINES.stream()
            .filter(line -> line.shape == request.path().shape())
            .map(Line::method)
            .distinct()
            .toList();
    if (methods.isEmpty()) {
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
}
