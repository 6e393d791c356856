package io.orrery.table;

import io.orrery.http.BrokenRequest;
import io.orrery.operation.Refusal;

/** What each refusal looks like on this wire. */
final class TableErrors {
  static final TableError FAULT =
      TableError.of(
          500, "InternalError", "The server encountered an internal error. Please retry.");
  static final TableError TABLE_NOT_FOUND =
      TableError.of(404, "TableNotFound", "The table specified does not exist.");
  static final TableError NOT_FOUND =
      TableError.of(404, "ResourceNotFound", "The specified resource does not exist.");
  static final TableError NOT_IMPLEMENTED =
      TableError.of(
          501,
          "NotImplemented",
          "The requested operation is not implemented on the specified resource.");
  static final TableError TABLE_EXISTS =
      TableError.of(409, "TableAlreadyExists", "The specified table already exists.");
  static final TableError TOO_LARGE =
      TableError.of(
          413,
          "RequestBodyTooLarge",
          "The request body is too large and exceeds the maximum permissible limit.");
  static final TableError BAD_PATH =
      TableError.of(
          400, "InvalidUri", "The requested URI does not represent any resource on the server.");
  static final TableError ATOM =
      TableError.of(
          415, "AtomFormatNotSupported", "Atom format is not supported. Ask for JSON instead.");

  private static final String THROTTLED =
      "Message: {\"Errors\":[\"Request rate is large. More Request Units may be needed, so no"
          + " changes were made. Please retry this request later. Learn more:"
          + " http://aka.ms/cosmosdb-error-429\"]}\r\nActivityId: ";

  private TableErrors() {}

  static TableError of(Refusal refusal, String requestId) {
    return switch (refusal) {
      case Refusal.BadRequest(String message) -> TableError.invalidInput(message);
      case Refusal.BadQuery(String errors) ->
          TableError.invalidInput("One of the request inputs is not valid. " + errors);
      case Refusal.ClientLacksFeatures(var features) ->
          TableError.invalidInput("The query needs " + String.join(", ", features) + ".");
      case Refusal.TimedOut(String message) -> TableError.of(500, "OperationTimedOut", message);
      case Refusal.PartitionKeyMismatch(String message) -> TableError.invalidInput(message);
      case Refusal.NotFound() -> NOT_FOUND;
      case Refusal.RangeGone() ->
          TableError.of(503, "ServerBusy", "The partition has moved; try again.");
      case Refusal.OwnerNotFound() -> TABLE_NOT_FOUND;
      // Tables have no unique keys of their own, but a container shown as one may.
      case Refusal.Conflict(), Refusal.UniqueKeyTaken() ->
          TableError.of(409, "EntityAlreadyExists", "The specified entity already exists.");
      case Refusal.Busy(String message) -> TableError.of(409, "TableBeingDeleted", message);
      case Refusal.Contended() ->
          TableError.of(503, "ServerBusy", "Others keep writing the same entities; try again.");
      case Refusal.PreconditionFailed() -> notSatisfied();
      case Refusal.ConditionNotMet() -> notSatisfied();
      case Refusal.FailedDependency() ->
          TableError.of(
              424, "FailedDependency", "Another operation of the same transaction failed.");
      case Refusal.TooLarge tooLarge -> tooLarge(tooLarge);
      case Refusal.TooManyMembers(int members, int limit) ->
          TableError.of(
              400,
              "TooManyProperties",
              "The entity contains more properties than allowed: "
                  + limit
                  + ", and its keys and time.");
      case Refusal.StaleContainer() -> TABLE_NOT_FOUND;
      case Refusal.Forbidden(String message) -> TableError.of(403, "Forbidden", message);
      case Refusal.LogicalPartitionFull(long limit) ->
          TableError.of(
              403,
              "PartitionKeyFull",
              "The entities of the partition key have reached their maximum size of "
                  + limit
                  + " bytes: delete some, or spread them over more partition keys.");
      case Refusal.PartitionFull(long limit) ->
          TableError.of(
              403,
              "PartitionFull",
              "The table has reached its maximum size of "
                  + limit
                  + " bytes: it was created with less than 1,000 RU/s and cannot split.");
      case Refusal.Throttled throttled ->
          new TableError(429, "429", THROTTLED + requestId, throttled);
      // Tables have neither sessions nor feeds of changes nor scripts.
      case Refusal.SessionNotAvailable() ->
          TableError.of(503, "ServerBusy", "The session is not available");
      case Refusal.HistoryTrimmed() -> TableError.invalidInput("The changes are no longer kept");
      case Refusal.ScriptFailed failed -> TableError.invalidInput(failed.message());
      case Refusal.ScriptTooLarge(String message) -> TableError.invalidInput(message);
      case Refusal.TooManyScripts busy ->
          TableError.of(503, "ServerBusy", "Too many scripts are running");
      case Refusal.Unavailable(String message) -> TableError.of(503, "ServerBusy", message);
    };
  }

  private static TableError tooLarge(Refusal.TooLarge tooLarge) {
    long limit = tooLarge.limitBytes();
    return switch (tooLarge.subject()) {
      case REQUEST, ANSWER ->
          TableError.of(
              400,
              "EntityTooLarge",
              "The entity is larger than the maximum size permitted (" + limit + " bytes).");
      case TRANSACTION ->
          TableError.of(
              413,
              "RequestBodyTooLarge",
              "The transaction is too large: the versions of entities that it writes may have "
                  + (limit >> 20)
                  + " MB in all, index entries counted, and likewise those that it replaces or"
                  + " deletes. Change fewer entities in one batch.");
    };
  }

  private static TableError notSatisfied() {
    return TableError.of(
        412,
        "UpdateConditionNotSatisfied",
        "The update condition specified in the request was not satisfied.");
  }

  static TableError broken(BrokenRequest broken) {
    return switch (broken) {
      case MALFORMED -> TableError.invalidInput("The request is not valid HTTP.");
      case LONG_LINE -> TableError.of(414, "InvalidUri", "The request URI is too long.");
      case LONG_HEADERS ->
          TableError.of(
              431,
              "RequestHeadersTooLarge",
              "The request has more than 64 KB of headers, or more than 100 of them.");
      case TOO_SLOW ->
          TableError.of(408, "OperationTimedOut", "The request did not arrive in time.");
      case TOO_LARGE -> TOO_LARGE;
      case UNKNOWN_EXPECTATION ->
          TableError.of(417, "InvalidHeaderValue", "The only expectation served is 100-continue.");
      case NO_ROOM ->
          TableError.of(
              503,
              "ServerBusy",
              "The requests and answers of all clients take the memory that the server has for"
                  + " them; nothing was changed. Try again later.");
    };
  }
}
