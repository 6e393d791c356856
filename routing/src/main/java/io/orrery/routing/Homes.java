package io.orrery.routing;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.partition.LogicalKey;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.Member;
import io.orrery.value.MalformedBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an operation is done: what concerns one partition by the node that serves it, what changes
 * the catalog by the one who leads, and the rest wherever it arrives.
 */
final class Homes {
  private final Catalog catalog;
  private final ItemTasks tasks;
  private final QueryTokens tokens;
  private final Together nodes;

  Homes(Catalog catalog, ItemTasks tasks, QueryTokens tokens, Together nodes) {
    this.catalog = catalog;
    this.tasks = tasks;
    this.tokens = tokens;
    this.nodes = nodes;
  }

  /**
   * A node that does something.
   *
   * @param range that it is done in; null where it is not one
   */
  record Home(Member node, @Nullable MappedRange range) {}

  /** The node that does it; null where any does, and where the operation will be refused. */
  @Nullable Home of(Operation operation) {
    return switch (operation) {
      case Operation.ItemOperation item -> ofItem(item);
      case Operation.ExecuteWithTriggers(var item, var before, var after) -> ofItem(item);
      case Operation.ExecuteScript(var script, var key, var arguments) ->
          ofKey(script.container(), key);
      case Operation.ReadEventually(var read) -> of(read);
      case Operation.ReadInSession(var read, var container, var lsns) -> of(read);
      case Operation.ReadItemFeed(var container, var scope, var page) -> ofScope(container, scope);
      case Operation.ReadChanges read -> ofScope(read.container(), read.scope());
      case Operation.QueryItems query -> ofQuery(query);
      case Operation.ExecuteBulk _, Operation.PlanQuery _ -> null;
      case Operation.ManagementOperation management -> ofManagement(management);
      case Operation.ResourceOperation resource -> isRead(resource) ? null : leader();
    };
  }

  private @Nullable Home ofManagement(Operation.ManagementOperation operation) {
    return switch (operation) {
      case Operation.SurveyContainers _, Operation.SurveyPartitions _ -> null;
      case Operation.SplitPartition _, Operation.MergePartitions _ -> leader();
      case Operation.ListReshapes _, Operation.ReadReshape _ -> leader();
      case Operation.AdvanceReshape _, Operation.ReadClock _ -> leader();
      case Operation.AdvanceClock _ -> leader();
      case Operation.RotateKey _ -> null;
    };
  }

  /** Whether it changes nothing, so that it may be done again. */
  static boolean isRead(Operation operation) {
    return switch (operation) {
      case Operation.ReadItem _, Operation.ReadEventually _, Operation.ReadInSession _ -> true;
      case Operation.ReadItemFeed _ -> true;
      case Operation.ReadChanges _, Operation.QueryItems _, Operation.PlanQuery _ -> true;
      case Operation.ItemOperation _, Operation.ExecuteBulk _ -> false;
      case Operation.ExecuteWithTriggers _, Operation.ExecuteScript _ -> false;
      case Operation.ReadDatabase _, Operation.ReadContainer _, Operation.ReadOffer _ -> true;
      case Operation.ReadPartitionKeyRanges _, Operation.ListResources _ -> true;
      case Operation.ReadScript _, Operation.ReadConflict _, Operation.ReadUser _ -> true;
      case Operation.ReadPermission _ -> true;
      case Operation.ResourceOperation _ -> false;
      case Operation.SurveyContainers _, Operation.SurveyPartitions _ -> true;
      case Operation.ListReshapes _, Operation.ReadReshape _, Operation.ReadClock _ -> true;
      case Operation.ManagementOperation _ -> false;
    };
  }

  private @Nullable Home ofItem(Operation.ItemOperation operation) {
    ContainerEntry container = catalog.image().container(operation.scope().container());
    if (container == null) {
      return null;
    }
    try {
      LogicalKey named = tasks.named(operation.scope(), container);
      LogicalKey key = named == null ? tasks.of(operation, container).key() : named;
      return owner(container.map().find(key.epk()));
    } catch (Refused | MalformedBody e) {
      return null; // whoever does it says what is wrong
    }
  }

  private @Nullable Home ofKey(ContainerRef ref, @Nullable PartitionKey key) {
    ContainerEntry container = catalog.image().container(ref);
    if (container == null) {
      return null;
    }
    try {
      return owner(container.map().find(tasks.required(key, container).epk()));
    } catch (Refused e) {
      return null;
    }
  }

  /** A result that is kept is read where it is, as long as that node takes part. */
  private @Nullable Home ofQuery(Operation.QueryItems query) {
    ContainerEntry container = catalog.image().container(query.container());
    Long keeper = container == null ? null : tokens.keeper(query, container);
    if (keeper != null) {
      for (Member member : nodes.members()) {
        if (member.number() == keeper) {
          return new Home(member, null);
        }
      }
    }
    return ofScope(query.container(), query.scope());
  }

  /** What lies in one range is read where that is served; more is gathered by any node. */
  private @Nullable Home ofScope(ContainerRef ref, FeedScope scope) {
    ContainerEntry container = catalog.image().container(ref);
    if (container == null) {
      return null;
    }
    List<MappedRange> ranges = container.map().ranges();
    return switch (scope) {
      case FeedScope.Whole() -> ranges.size() == 1 ? owner(ranges.getFirst()) : null;
      case FeedScope.OfRange(String id, var part) -> {
        MappedRange range = container.map().byId(id);
        yield range == null ? null : owner(range);
      }
      case FeedScope.OfKey(PartitionKey key) -> ofWhole(container, key);
    };
  }

  private @Nullable Home ofWhole(ContainerEntry container, PartitionKey given) {
    try {
      PartitionKey key = tasks.fitted(given, container.key());
      boolean whole = key.components().size() == container.key().paths().size();
      return whole ? owner(container.map().find(LogicalKey.of(key, container.key()).epk())) : null;
    } catch (Refused e) {
      return null;
    }
  }

  private @Nullable Home owner(MappedRange range) {
    Member owner = nodes.ownerOf(range.partition());
    return owner == null ? null : new Home(owner, range);
  }

  private @Nullable Home leader() {
    Member eldest = nodes.eldest();
    return eldest == null ? null : new Home(eldest, null);
  }
}
