package io.orrery.operation;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why an operation was not done; nothing was changed. */
public sealed interface Refusal extends Outcome {

  /** The request makes no sense; the message names the cause. */
  record BadRequest(String message) implements Refusal {}

  /** A query text is wrong; the message is the service's JSON of errors with codes and places. */
  record BadQuery(String errorsJson) implements Refusal {}

  /** Merging the partial answers of the query takes what the client says it cannot. */
  record ClientLacksFeatures(List<String> features) implements Refusal {
    public ClientLacksFeatures {
      features = List.copyOf(features);
    }
  }

  /** The work took longer than a request may. */
  record TimedOut(String message) implements Refusal {}

  /** The partition key given does not fit the item or the container. */
  record PartitionKeyMismatch(String message) implements Refusal {}

  /** The item or resource is not there. */
  record NotFound() implements Refusal {}

  /** Changes were asked for that are older than the history is kept. */
  record HistoryTrimmed() implements Refusal {}

  /** The server has not reached the state that the client's session requires. */
  record SessionNotAvailable() implements Refusal {}

  /** The range was split or merged: its keys are found in others. */
  record RangeGone() implements Refusal {}

  /** The database or container that should hold it is not there. */
  record OwnerNotFound() implements Refusal {}

  /** Something of that id exists. */
  record Conflict() implements Refusal {}

  /** Another item of the logical partition has the values of a unique key. */
  record UniqueKeyTaken() implements Refusal {}

  /** Something else is done with it at the moment; the message names what. */
  record Busy(String message) implements Refusal {}

  /** Others kept writing what it rests on; trying again may help. */
  record Contended() implements Refusal {}

  /** The etag condition does not hold. */
  record PreconditionFailed() implements Refusal {}

  /** The patch's own condition does not hold. */
  record ConditionNotMet() implements Refusal {}

  /** It would have been possible, but another operation that it belongs to was not. */
  record FailedDependency() implements Refusal {}

  /** Something is larger than its limit; an item or a script unless told otherwise. */
  record TooLarge(Subject subject, long sizeBytes, long limitBytes) implements Refusal {
    /** What is too large. */
    public enum Subject {
      /** An item, as it was sent or as a patch would leave it, or the text of a script. */
      REQUEST,
      /** The items that a batch or a bulk would give back. */
      ANSWER,
      /**
       * All versions that one transaction reads and writes, with their index entries; or all that
       * it replaces and deletes.
       */
      TRANSACTION
    }

    public TooLarge {
      // Nodes of earlier versions do not tell.
      subject = Objects.requireNonNullElse(subject, Subject.REQUEST);
    }

    public TooLarge(long sizeBytes, long limitBytes) {
      this(Subject.REQUEST, sizeBytes, limitBytes);
    }

    public static TooLarge answer(long sizeBytes, long limitBytes) {
      return new TooLarge(Subject.ANSWER, sizeBytes, limitBytes);
    }

    public static TooLarge transaction(long sizeBytes, long limitBytes) {
      return new TooLarge(Subject.TRANSACTION, sizeBytes, limitBytes);
    }
  }

  /** The item has more members than may be. */
  record TooManyMembers(int members, int limit) implements Refusal {}

  /**
   * A script of the user failed.
   *
   * @param number of the error that it threw; 0 when that had none
   * @param log what it wrote to its console before
   */
  record ScriptFailed(int number, String message, String log) implements Refusal {
    /** The number of scripts that are no JavaScript. */
    public static final int DOES_NOT_COMPILE = 0xFFFF;
  }

  /** A script used more memory than there is for it, or answers too much. */
  record ScriptTooLarge(String message) implements Refusal {}

  /** As many scripts run and wait as can; after the wait there may be a place. */
  record TooManyScripts(long retryAfterMillis) implements Refusal {}

  /** The container was created anew since the client learnt its rid. */
  record StaleContainer() implements Refusal {}

  /** Allowed to nobody; the message names the rule. */
  record Forbidden(String message) implements Refusal {}

  /** The items of the partition key have reached the size that they may have together. */
  record LogicalPartitionFull(long limitBytes) implements Refusal {}

  /** The partition has reached its size, and its container may not split. */
  record PartitionFull(long limitBytes) implements Refusal {}

  /**
   * The range's share of the throughput is spent, or its queue of writes full; after the wait a
   * request is let in.
   */
  record Throttled(long retryAfterMillis, Hint hint) implements Refusal {}

  /**
   * Why a request was throttled.
   *
   * @param unitsPerSecond the share of the range; zero where its queue of writes was full instead
   * @param hottest the partition key that uses most of it, where one is known
   * @param hottestShare its part of the use, from 0 to 1
   */
  record Hint(
      String rangeId, double unitsPerSecond, @Nullable PartitionKey hottest, double hottestShare)
      implements Serializable {}

  /** The server cannot do it now, nothing was done; trying again later may help. */
  record Unavailable(String message) implements Refusal {}
}
