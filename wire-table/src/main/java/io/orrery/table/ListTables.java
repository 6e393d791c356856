package io.orrery.table;

import io.netty.util.AsciiString;
import io.orrery.http.Conversation.Decision;
import io.orrery.http.JsonText;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.SqlQuery;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the tables of the account, all or those that a filter names. */
record ListTables(Command.Call call) implements Command {
  private static final String NAME = "TableName";
  private static final AsciiString NEXT = new AsciiString("x-ms-continuation-NextTableName: ");

  @Override
  public Decision<TableError> begin() {
    call.require(Right.LIST_TABLES, "", null);
    var _ = call.request().metadata();
    String filter = call.request().parameters().get("$filter");
    var sql = new FilterSql();
    String where = filter == null ? "" : " WHERE " + sql.name(FilterParser.parse(filter), NAME);
    var page =
        new PageRequest(
            QueryEntities.top(call.request()), call.request().parameters().get("NextTableName"));
    return call.ask(
        new Operation.ListResources(
            new ResourceFeed.Containers(TABLES),
            page,
            new SqlQuery("SELECT VALUE c.id FROM c" + where, sql.parameters())));
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.RowPage(var rows, var continuation) -> page(answer, names(rows), continuation);
      // No table was ever made.
      case Refusal.OwnerNotFound none -> page(answer, List.of(), null);
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  private static List<String> names(List<Body> rows) {
    var names = new ArrayList<String>();
    for (Body row : rows) {
      if (Json.parse(row.bytes().array()) instanceof Value.Text(String name)) {
        names.add(name);
      }
    }
    return names;
  }

  private Decision<TableError> page(
      Answer answer, List<String> names, @Nullable String continuation) {
    TableRequest request = call.request();
    Metadata metadata = request.metadata();
    var body = new StringBuilder("{");
    if (metadata != Metadata.NONE) {
      body.append("\"odata.metadata\":");
      body.append(JsonText.quote(call.endpoint() + "/$metadata#Tables")).append(',');
    }
    body.append("\"value\":[");
    for (int i = 0; i < names.size(); i++) {
      body.append(i == 0 ? "{" : ",{");
      body.append(CreateTable.members(names.get(i), call.endpoint(), metadata, call.config()));
      body.append('}');
    }
    TableAnswers head = call.head(200, answer.charge());
    if (continuation != null) {
      head.header(NEXT, continuation);
    }
    return call.json(200, body.append("]}").toString());
  }
}
