package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.script.ScriptRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What a script that did not come to its end is to a client, and what a refusal is to a script. */
final class ScriptErrors {
  private static final long RETRY_AFTER_MILLIS = 500;

  private ScriptErrors() {}

  static Refusal refusal(ScriptRefused e) {
    return switch (e.reason()) {
      case FAILED -> new Refusal.ScriptFailed(e.number(), e.text(), e.log());
      case DOES_NOT_COMPILE ->
          new Refusal.ScriptFailed(Refusal.ScriptFailed.DOES_NOT_COMPILE, e.text(), e.log());
      case TIMED_OUT -> new Refusal.TimedOut(e.text());
      case TOO_LARGE -> new Refusal.ScriptTooLarge(e.text());
      case TOO_BUSY -> new Refusal.TooManyScripts(RETRY_AFTER_MILLIS);
      case INTERRUPTED -> new Refusal.Unavailable(e.text());
    };
  }

  /** The status that a client would see. */
  static int status(Refusal refusal) {
    return switch (refusal) {
      case Refusal.NotFound _, Refusal.OwnerNotFound _ -> 404;
      case Refusal.Conflict _, Refusal.UniqueKeyTaken _, Refusal.Busy _ -> 409;
      case Refusal.PreconditionFailed _, Refusal.ConditionNotMet _ -> 412;
      case Refusal.TooLarge _, Refusal.ScriptTooLarge _ -> 413;
      case Refusal.Forbidden _, Refusal.LogicalPartitionFull _, Refusal.PartitionFull _ -> 403;
      case Refusal.TimedOut _ -> 408;
      case Refusal.Throttled _, Refusal.TooManyScripts _ -> 429;
      case Refusal.Unavailable _ -> 503;
      default -> 400;
    };
  }

  static String message(Refusal refusal) {
    String text =
        switch (refusal) {
          case Refusal.NotFound _, Refusal.OwnerNotFound _ -> "Resource Not Found";
          case Refusal.Conflict _ -> "Resource with specified id or name already exists";
          case Refusal.UniqueKeyTaken _ -> "Unique index constraint violation.";
          case Refusal.PreconditionFailed _, Refusal.ConditionNotMet _ ->
              "One of the specified pre-condition is not met";
          case Refusal.TooLarge(var subject, long size, long limit) ->
              switch (subject) {
                case REQUEST, ANSWER ->
                    "Request size is too large: "
                        + size
                        + " bytes, where "
                        + limit
                        + " are allowed";
                case TRANSACTION ->
                    "The script's transaction is too large: the versions that one writes may have "
                        + (limit >> 20)
                        + " MB in all, with few index entries each. Write less in one execution.";
              };
          case Refusal.LogicalPartitionFull _ -> "Partition key reached maximum size";
          case Refusal.PartitionFull _ -> "The partition reached its maximum size";
          case Refusal.BadRequest(String message) -> message;
          case Refusal.BadQuery(String errors) -> errors;
          case Refusal.Forbidden(String message) -> message;
          case Refusal.PartitionKeyMismatch(String message) -> message;
          case Refusal.TimedOut(String message) -> message;
          case Refusal.ScriptFailed failed -> failed.message();
          case Refusal.ScriptTooLarge(String message) -> message;
          default -> "The operation is not possible: " + refusal;
        };
    return refusal instanceof Refusal.BadQuery
        ? text
        : new String(
            Json.write(new Value.Obj(Map.of("Errors", new Value.Arr(List.of(Value.of(text)))))),
            StandardCharsets.UTF_8);
  }
}
