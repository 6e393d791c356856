package io.orrery.table;

import io.orrery.http.AsciiNumbers;
import io.orrery.http.Conversation.Decision;
import io.orrery.http.JsonText;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.Throughput;
import io.orrery.operation.Ticks;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import org.jspecify.annotations.Nullable;

/** Makes a table: a container of the database of tables, which is made with the first one. */
final class CreateTable implements Command {
  private static final Body DATABASE = Body.json("{\"id\":\"" + TABLES.idOrRid() + "\"}");

  // The composite index has the entities in the order of their keys.
  private static final String DEFINITION =
      """
      {"id":"TABLE","partitionKey":{"paths":["/$pk"],"kind":"Hash","version":2},\
      "indexingPolicy":{"indexingMode":"consistent","automatic":true,\
      "includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\\"_etag\\"/?"}],\
      "compositeIndexes":[[{"path":"/\\"$pk\\"","order":"ascending"},\
      {"path":"/id","order":"ascending"}]]}}\
      """;

  private final Call call;
  private String table = "";
  private boolean makingDatabase;

  CreateTable(Call call) {
    this.call = call;
  }

  @Override
  public Decision<TableError> begin() {
    call.require(Right.CREATE_TABLE, "", null);
    table = TableName.checked(name());
    return create();
  }

  private String name() {
    try {
      if (Json.parse(call.request().json().array()) instanceof Value.Obj(var members)
          && members.get("TableName") instanceof Value.Text(String name)) {
        return name;
      }
    } catch (MalformedBody notJson) {
      // Told below.
    }
    throw RefusedRequest.invalidInput(
        "One of the request inputs is not valid: the body is no JSON with a TableName.");
  }

  private Decision<TableError> create() {
    makingDatabase = false;
    return call.ask(
        new Operation.CreateContainer(
            TABLES, Body.json(DEFINITION.replace("TABLE", table)), throughput()));
  }

  private @Nullable Throughput throughput() {
    String manual = call.request().header(TableHeaders.OFFER_THROUGHPUT);
    String autoscale = call.request().header(TableHeaders.OFFER_AUTOPILOT);
    try {
      if (manual != null) {
        return new Throughput.Manual(AsciiNumbers.parseInt(manual.strip()));
      }
      if (autoscale == null) {
        return null;
      }
      if (Json.parse(autoscale) instanceof Value.Obj(var members)
          && members.get("maxThroughput") instanceof Value.Int64(long units)) {
        return new Throughput.Autoscale(Math.toIntExact(units), 0);
      }
    } catch (MalformedBody | ArithmeticException | NumberFormatException notOne) {
      // Told below.
    }
    throw RefusedRequest.of(
        400, "InvalidHeaderValue", "The throughput that the headers ask for is no number.");
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.ResourceCreated(var made) when made.kind() == Resource.Kind.DATABASE -> create();
      case Outcome.ResourceCreated(var made) -> created(answer, made);
      case Refusal.OwnerNotFound none -> {
        makingDatabase = true;
        yield call.ask(new Operation.CreateDatabase(DATABASE, null));
      }
      // Another request was quicker.
      case Refusal.Conflict conflict when makingDatabase -> create();
      case Refusal.Conflict conflict -> call.refuse(answer, TableErrors.TABLE_EXISTS);
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  private Decision<TableError> created(Answer answer, Resource made) {
    String endpoint = call.endpoint();
    boolean bare = call.request().wantsNoContent();
    TableAnswers head = call.head(bare ? 204 : 201, answer.charge());
    head.header(TableAnswers.ETAG, TicksText.etag(made.timestampSeconds() * Ticks.PER_SECOND));
    head.header(TableAnswers.LOCATION, endpoint + "/Tables('" + table + "')");
    if (bare) {
      head.header(TableAnswers.DATA_SERVICE_ID, endpoint + "/Tables('" + table + "')");
      head.headers(TableAnswers.NO_CONTENT_APPLIED);
      return call.empty(204);
    }
    if (call.request().wantsContent()) {
      head.headers(TableAnswers.CONTENT_APPLIED);
    }
    return call.json(201, element(table, endpoint, call.request().metadata(), call.config()));
  }

  /** A table as an answer by itself. */
  static String element(String table, String endpoint, Metadata metadata, TableConfig config) {
    return "{"
        + members(table, endpoint, metadata, config)
        + (metadata == Metadata.NONE
            ? ""
            : ",\"odata.metadata\":" + JsonText.quote(endpoint + "/$metadata#Tables/@Element"))
        + "}";
  }

  static String members(String table, String endpoint, Metadata metadata, TableConfig config) {
    String name = "\"TableName\":" + JsonText.quote(table);
    return metadata == Metadata.FULL
        ? name
            + (",\"odata.type\":\"" + config.account() + ".Tables\"")
            + (",\"odata.id\":" + JsonText.quote(endpoint + "/Tables('" + table + "')"))
            + (",\"odata.editLink\":\"Tables('" + table + "')\"")
        : name;
  }
}
