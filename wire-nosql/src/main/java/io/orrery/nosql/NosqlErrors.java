package io.orrery.nosql;

import io.orrery.operation.Refusal;
import java.util.List;

/** What each refusal looks like on this wire. */
final class NosqlErrors {
  static final NosqlError TOO_LARGE =
      NosqlError.listed(413, "RequestEntityTooLarge", "Request size is too large");
  static final NosqlError READ_ONLY_KEY =
      NosqlError.plain(
          403,
          "Forbidden",
          "The request cannot be authorized: it writes, and was signed with a read-only key.");
  static final NosqlError TOKENS_IN_ANSWER =
      NosqlError.plain(
          403,
          "Forbidden",
          "The request cannot be authorized: permissions hold tokens that may write, and it was"
              + " signed with a read-only key.");
  static final NosqlError FAULT =
      NosqlError.listed(
          500,
          "InternalServerError",
          "Unknown server error occurred when processing this request.");

  private static final NosqlError THROTTLED =
      NosqlError.listed(
          429,
          3200,
          "TooManyRequests",
          "Request rate is large. More Request Units may be needed, so no changes were made. Please"
              + " retry this request later. Learn more: http://aka.ms/cosmosdb-error-429");
  private static final NosqlError HISTORY_TRIMMED =
      NosqlError.listed(
          400,
          "BadRequest",
          "The change feed no longer reaches back to that continuation or time: it is older than"
              + " the retention of all versions and deletes, or than the policy. Read the items as"
              + " they are and begin the feed from now, or set a longer changeFeedPolicy"
              + ".retentionDuration.");
  private static final NosqlError SESSION_NOT_AVAILABLE =
      NosqlError.listed(
          404,
          1002,
          "NotFound",
          "The read session is not available for the input session token: it is ahead of this"
              + " server. Learn more: https://aka.ms/cosmosdb-tsg-not-found");
  private static final NosqlError RANGE_GONE =
      NosqlError.listed(
          410,
          1002,
          "Gone",
          "The partition key range has been split or merged; read the ranges again.");
  private static final NosqlError OWNER_NOT_FOUND =
      NosqlError.listed(
          404,
          1003,
          "NotFound",
          "Owner resource does not exist. Learn more: https://aka.ms/cosmosdb-tsg-not-found");
  private static final NosqlError CONTENDED =
      NosqlError.listed(
          449,
          "RetryWith",
          "Conflicting request to resource has been attempted. Retry to avoid conflicts.");
  private static final NosqlError STALE_CONTAINER =
      NosqlError.listed(
          400,
          1024,
          "BadRequest",
          "The container rid of the request is not the rid of the container: it was created"
              + " anew.");
  private static final NosqlError TOO_MANY_SCRIPTS =
      NosqlError.listed(
          429,
          "TooManyRequests",
          "Too many scripts are running, so that this one did not begin. Please retry later.");
  private static final String NO_ITEM =
      "Entity with the specified id does not exist in the system. More info:"
          + " https://aka.ms/cosmosdb-tsg-not-found";
  private static final String NO_RESOURCE =
      "Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found";

  private static final String NO_PLAN = "Gateway Failed to Retrieve Query Plan: ";

  private NosqlErrors() {}

  static NosqlError of(Refusal refusal, NosqlRequest request) {
    return switch (refusal) {
      case Refusal.BadRequest(String message) -> NosqlError.listed(400, "BadRequest", message);
      case Refusal.BadQuery(String errors) ->
          NosqlError.plain(
              400,
              "BadRequest",
              (request.says(NosqlHeaders.IS_QUERY_PLAN) ? NO_PLAN : "") + "Message: " + errors);
      case Refusal.ClientLacksFeatures(var features) ->
          NosqlError.plain(400, "BadRequest", unsupported(features));
      case Refusal.TimedOut(String message) -> NosqlError.listed(408, "RequestTimeout", message);
      case Refusal.PartitionKeyMismatch(String message) ->
          NosqlError.listed(400, 1001, "BadRequest", message);
      case Refusal.NotFound() ->
          NosqlError.listed(
              404,
              "NotFound",
              request.path().shape() == ResourcePath.Shape.ITEM ? NO_ITEM : NO_RESOURCE);
      case Refusal.HistoryTrimmed() -> HISTORY_TRIMMED;
      case Refusal.SessionNotAvailable() -> SESSION_NOT_AVAILABLE;
      case Refusal.RangeGone() -> RANGE_GONE;
      case Refusal.OwnerNotFound() -> OWNER_NOT_FOUND;
      case Refusal.Conflict() ->
          NosqlError.listed(409, "Conflict", "Resource with specified id or name already exists.");
      case Refusal.UniqueKeyTaken() ->
          NosqlError.listed(409, "Conflict", "Unique index constraint violation.");
      case Refusal.Busy(String message) -> NosqlError.listed(409, "Conflict", message);
      case Refusal.Contended() -> CONTENDED;
      case Refusal.PreconditionFailed() ->
          NosqlError.listed(
              412, "PreconditionFailed", "One of the specified pre-condition is not met");
      case Refusal.ConditionNotMet() ->
          NosqlError.listed(
              412, 1110, "PreconditionFailed", "One of the specified pre-condition is not met");
      case Refusal.FailedDependency() ->
          NosqlError.listed(424, "FailedDependency", "Another operation of the same batch failed.");
      case Refusal.TooLarge tooLarge ->
          NosqlError.listed(413, "RequestEntityTooLarge", text(tooLarge));
      case Refusal.TooManyMembers(int members, int limit) ->
          NosqlError.listed(
              400,
              "BadRequest",
              "The item has " + members + " members, where at most " + limit + " are allowed.");
      case Refusal.StaleContainer() -> STALE_CONTAINER;
      case Refusal.Forbidden(String message) -> NosqlError.listed(403, "Forbidden", message);
      case Refusal.LogicalPartitionFull(long limit) -> keyIsFull(limit);
      case Refusal.PartitionFull(long limit) -> partitionIsFull(limit);
      case Refusal.ScriptFailed(int number, String message, String log) ->
          NosqlError.listed(400, number, "BadRequest", message);
      case Refusal.ScriptTooLarge(String message) ->
          NosqlError.listed(413, "RequestEntityTooLarge", message);
      case Refusal.TooManyScripts(long retryAfterMillis) -> TOO_MANY_SCRIPTS;
      case Refusal.Throttled(long retryAfterMillis, var hint) -> THROTTLED;
      case Refusal.Unavailable(String message) ->
          NosqlError.listed(503, "ServiceUnavailable", message);
    };
  }

  private static NosqlError keyIsFull(long limit) {
    return NosqlError.listed(
        403,
        1014,
        "Forbidden",
        "Partition key reached maximum size of "
            + size(limit)
            + ". Delete items of the key, or spread its items over more values of the partition"
            + " key. Learn more: https://aka.ms/CosmosDB/sql/errors/full-pk");
  }

  private static NosqlError partitionIsFull(long limit) {
    return NosqlError.listed(
        403,
        "Forbidden",
        "The partition reached its maximum size of "
            + size(limit)
            + ", and the container may not split: it has no partition key, or was created with"
            + " less than 1,000 RU/s. Delete items, or move them to a container that was created"
            + " with a partition key and 1,000 RU/s or more.");
  }

  private static String text(Refusal.TooLarge tooLarge) {
    String limit = size(tooLarge.limitBytes());
    return switch (tooLarge.subject()) {
      case REQUEST ->
          "Request size is too large: "
              + tooLarge.sizeBytes()
              + " bytes, where at most "
              + limit
              + " are allowed.";
      case ANSWER ->
          "The items that the request reads are too large for one answer, which holds "
              + limit
              + ". Read fewer items in one request.";
      case TRANSACTION ->
          "The transaction is too large: the versions that its steps read and write may have "
              + limit
              + " in all, index entries counted, and likewise those that they replace or delete."
              + " Do less in one batch or script.";
    };
  }

  private static String size(long bytes) {
    if (bytes % (1L << 30) == 0) {
      return (bytes >> 30) + " GB";
    }
    if (bytes % (1L << 20) == 0) {
      return (bytes >> 20) + " MB";
    }
    return bytes % (1L << 10) == 0 ? (bytes >> 10) + " KB" : bytes + " bytes";
  }

  private static String unsupported(List<String> features) {
    var text =
        new StringBuilder(
            "Query contains 1 or more unsupported features. Upgrade your SDK to a version that does"
                + " support the requested features:");
    for (String feature : features) {
      text.append("\r\nQuery contained ")
          .append(feature)
          .append(", which the calling client does not support.");
    }
    return text.toString();
  }
}
