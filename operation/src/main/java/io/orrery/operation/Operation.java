package io.orrery.operation;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a client can ask of the database, whatever protocol it speaks. */
public sealed interface Operation extends Serializable {

  /** Concerns one item. */
  sealed interface ItemOperation extends Operation {
    ItemScope scope();
  }

  record CreateItem(ItemScope scope, Body body) implements ItemOperation {}

  record UpsertItem(ItemScope scope, Body body, Precondition precondition)
      implements ItemOperation {}

  record ReadItem(ItemScope scope, ItemRef item, Precondition precondition)
      implements ItemOperation {}

  record ReplaceItem(ItemScope scope, ItemRef item, Body body, Precondition precondition)
      implements ItemOperation {}

  record PatchItem(ItemScope scope, ItemRef item, Patch patch, Precondition precondition)
      implements ItemOperation {}

  /**
   * Puts the members of the body over those of the item of its id; what the body does not name
   * stays. Where there is no such item the body becomes one, unless the precondition wants one.
   *
   * @param rule what the item must meet that comes of it
   */
  record MergeItem(ItemScope scope, Body body, Precondition precondition, ItemRule rule)
      implements ItemOperation {}

  record DeleteItem(ItemScope scope, ItemRef item, Precondition precondition)
      implements ItemOperation {}

  /** Deletes every item of a logical partition: hidden when answered, removed in the background. */
  record DeleteLogicalPartition(ItemScope scope) implements ItemOperation {}

  /** Several operations on items of one logical partition: all of them happen, or none. */
  record ExecuteBatch(ItemScope scope, List<ItemOperation> steps) implements ItemOperation {
    public ExecuteBatch {
      steps = List.copyOf(steps);
    }
  }

  /**
   * Several operations on items of a container, each for itself.
   *
   * @param inOrder one after the other, and none behind one that was refused
   */
  record ExecuteBulk(ContainerRef container, List<ItemOperation> steps, boolean inOrder)
      implements Operation {
    public ExecuteBulk {
      steps = List.copyOf(steps);
    }
  }

  /**
   * An operation on one item with code of the user before and behind it, all of it or nothing.
   *
   * @param before triggers that may change the item, by id
   * @param after triggers that see what was done, by id
   */
  record ExecuteWithTriggers(ItemOperation operation, List<String> before, List<String> after)
      implements Operation {
    public ExecuteWithTriggers {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /**
   * Runs a stored procedure in one logical partition: all that it does happens, or nothing.
   *
   * @param key null only in containers without a partition key
   * @param arguments a JSON array
   */
  record ExecuteScript(ScriptRef script, @Nullable PartitionKey key, Body arguments)
      implements Operation {}

  /** Concerns items of a container, several at a time. */
  record ReadItemFeed(ContainerRef container, FeedScope scope, PageRequest page)
      implements Operation {}

  /**
   * What has changed in a part of a container, in the order of its transactions.
   *
   * @param allVersions every change with images of the item, or the latest version of each item
   */
  record ReadChanges(
      ContainerRef container, FeedScope scope, ChangeStart start, int maxItems, boolean allVersions)
      implements Operation {}

  /** The rows of a query over the items of a container or of a part of it. */
  record QueryItems(
      ContainerRef container,
      SqlQuery query,
      FeedScope scope,
      PageRequest page,
      QueryOptions options)
      implements Operation {}

  /**
   * How a client that asks the ranges itself has to run a query and merge what they answer.
   *
   * @param key set when the query stays within a key or a prefix of one
   * @param features what the client can merge, by the protocol's names
   */
  record PlanQuery(
      ContainerRef container, SqlQuery query, @Nullable PartitionKey key, Set<String> features)
      implements Operation {
    public PlanQuery {
      // Sorted, as clients may choose names that share a hash.
      features = new TreeSet<>(features);
    }
  }

  /** A read of an item that may show an older state, rather than wait for whoever serves it. */
  record ReadEventually(ReadItem read) implements Operation {}

  /**
   * A read of items that must see what its client has seen before.
   *
   * @param lsnByRange the least state that each range must have reached, by the ids that ranges
   *     have or once had
   */
  record ReadInSession(Operation read, ContainerRef container, Map<String, Long> lsnByRange)
      implements Operation {
    public ReadInSession {
      // Sorted, as clients may choose ids that share a hash.
      lsnByRange = new TreeMap<>(lsnByRange);
    }
  }

  /** Concerns the catalog of resources. */
  sealed interface ResourceOperation extends Operation {}

  record CreateDatabase(Body definition, @Nullable Throughput throughput)
      implements ResourceOperation {}

  record ReadDatabase(DatabaseRef database, Precondition precondition)
      implements ResourceOperation {}

  record DeleteDatabase(DatabaseRef database, Precondition precondition)
      implements ResourceOperation {}

  record CreateContainer(DatabaseRef database, Body definition, @Nullable Throughput throughput)
      implements ResourceOperation {}

  record ReadContainer(ContainerRef container, Precondition precondition)
      implements ResourceOperation {}

  record ReplaceContainer(ContainerRef container, Body definition, Precondition precondition)
      implements ResourceOperation {}

  record DeleteContainer(ContainerRef container, Precondition precondition)
      implements ResourceOperation {}

  /** The physical partitions of a container as clients see them; not again when already known. */
  record ReadPartitionKeyRanges(ContainerRef container, @Nullable Etag known)
      implements ResourceOperation {}

  record ReadOffer(String idOrRid, Precondition precondition) implements ResourceOperation {}

  record ReplaceOffer(String idOrRid, Body definition, Precondition precondition)
      implements ResourceOperation {}

  record ListResources(ResourceFeed feed, PageRequest page, @Nullable SqlQuery query)
      implements ResourceOperation {}

  /** Concerns the text of a script, not its execution. */
  sealed interface ScriptOperation extends ResourceOperation {}

  record CreateScript(ContainerRef container, ScriptKind kind, Body definition)
      implements ScriptOperation {}

  record ReadScript(ScriptRef script, Precondition precondition) implements ScriptOperation {}

  record ReplaceScript(ScriptRef script, Body definition, Precondition precondition)
      implements ScriptOperation {}

  record DeleteScript(ScriptRef script, Precondition precondition) implements ScriptOperation {}

  /** Concerns a conflict, of which there are none. */
  record ReadConflict(ContainerRef container, String idOrRid) implements ResourceOperation {}

  record DeleteConflict(ContainerRef container, String idOrRid) implements ResourceOperation {}

  /** Concerns a user, whom permissions are given to. */
  sealed interface UserOperation extends ResourceOperation {}

  record CreateUser(DatabaseRef database, Body definition) implements UserOperation {}

  record UpsertUser(DatabaseRef database, Body definition, Precondition precondition)
      implements UserOperation {}

  record ReadUser(UserRef user, Precondition precondition) implements UserOperation {}

  record ReplaceUser(UserRef user, Body definition, Precondition precondition)
      implements UserOperation {}

  record DeleteUser(UserRef user, Precondition precondition) implements UserOperation {}

  /** Concerns what a user may do with a resource. */
  sealed interface PermissionOperation extends ResourceOperation {}

  /**
   * Answered, like all that show a permission, with a new token.
   *
   * @param validSeconds how long the token is good for
   */
  record CreatePermission(UserRef user, Body definition, int validSeconds)
      implements PermissionOperation {}

  record UpsertPermission(
      UserRef user, Body definition, Precondition precondition, int validSeconds)
      implements PermissionOperation {}

  record ReadPermission(PermissionRef permission, Precondition precondition, int validSeconds)
      implements PermissionOperation {}

  record ReplacePermission(
      PermissionRef permission, Body definition, Precondition precondition, int validSeconds)
      implements PermissionOperation {}

  record DeletePermission(PermissionRef permission, Precondition precondition)
      implements PermissionOperation {}

  /** Concerns how containers lie over partitions; answered with a JSON report. */
  sealed interface ManagementOperation extends Operation {}

  /** All containers, with what they hold. */
  record SurveyContainers() implements ManagementOperation {}

  /** The partitions of a container: what they hold, what they use, and by which keys. */
  record SurveyPartitions(ContainerRef container) implements ManagementOperation {}

  /**
   * Begins to cut a partition in two.
   *
   * @param stepped whether each phase waits for an {@link AdvanceReshape}
   */
  record SplitPartition(ContainerRef container, String rangeId, Cut cut, boolean stepped)
      implements ManagementOperation {}

  /** Begins to make one partition of two neighbours. */
  record MergePartitions(ContainerRef container, List<String> rangeIds, boolean stepped)
      implements ManagementOperation {
    public MergePartitions {
      rangeIds = List.copyOf(rangeIds);
    }
  }

  /** Splits and merges, the latest first. */
  record ListReshapes(@Nullable ContainerRef container) implements ManagementOperation {}

  record ReadReshape(long id) implements ManagementOperation {}

  /** Lets the next phase of a split or merge begin; answered when that phase has ended. */
  record AdvanceReshape(long id) implements ManagementOperation {}

  record ReadClock() implements ManagementOperation {}

  /** Lets time pass where it stands still otherwise; answered when all is split that has to be. */
  record AdvanceClock(Duration by) implements ManagementOperation {}

  /**
   * Puts a new secret in the place of one.
   *
   * @param name of an account key, or {@link KeyRotation#SECRET}
   */
  record RotateKey(String name) implements ManagementOperation {}
}
