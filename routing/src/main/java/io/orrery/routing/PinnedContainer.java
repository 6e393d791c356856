package io.orrery.routing;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.ScriptRef;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.definition.ResourceLink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds operations to the container that was found for them. A request names the container, and
 * between the look at it (what a resource token allows, say) and the work, which may wait, another
 * one can take the name: the rid of the first is then found no more.
 *
 * @param within the one thing in it that the operations are for; null for all
 * @param rid of that thing
 */
record PinnedContainer(ContainerEntry container, ResourceLink.@Nullable Within within, String rid) {

  /** The same operation by rids. */
  Operation hold(Operation operation) {
    return switch (operation) {
      case Operation.ItemOperation item -> hold(item);
      case Operation.ExecuteBulk(var named, var steps, boolean inOrder) ->
          new Operation.ExecuteBulk(hold(named), holdAll(steps), inOrder);
      case Operation.ExecuteWithTriggers(var item, var before, var after) ->
          new Operation.ExecuteWithTriggers(hold(item), before, after);
      case Operation.ExecuteScript(var script, var key, var arguments) ->
          new Operation.ExecuteScript(hold(script), key, arguments);
      case Operation.ReadEventually(var read) -> new Operation.ReadEventually(hold(read));
      case Operation.ReadInSession(var read, var named, var seen) ->
          new Operation.ReadInSession(hold(read), hold(named), seen);
      case Operation.ReadItemFeed(var named, var part, var page) ->
          new Operation.ReadItemFeed(hold(named), part, page);
      case Operation.ReadChanges(var named, var part, var start, int max, boolean all) ->
          new Operation.ReadChanges(hold(named), part, start, max, all);
      case Operation.QueryItems(var named, var query, var part, var page, var options) ->
          new Operation.QueryItems(hold(named), query, part, page, options);
      case Operation.PlanQuery(var named, var query, var key, var features) ->
          new Operation.PlanQuery(hold(named), query, key, features);
      case Operation.ResourceOperation resource -> hold(resource);
      case Operation.ManagementOperation management -> management;
    };
  }

  /** What tokens do not open at all stays as it is. */
  private Operation.ResourceOperation hold(Operation.ResourceOperation operation) {
    return switch (operation) {
      case Operation.ReadContainer(var named, var precondition) ->
          new Operation.ReadContainer(hold(named), precondition);
      case Operation.ReadPartitionKeyRanges(var named, var known) ->
          new Operation.ReadPartitionKeyRanges(hold(named), known);
      case Operation.ReadScript(var script, var precondition) ->
          new Operation.ReadScript(hold(script), precondition);
      case Operation.ListResources(
              ResourceFeed.Scripts(var named, var kind),
              var page,
              var query) ->
          new Operation.ListResources(new ResourceFeed.Scripts(hold(named), kind), page, query);
      case Operation.ListResources(ResourceFeed.Conflicts(var named), var page, var query) ->
          new Operation.ListResources(new ResourceFeed.Conflicts(hold(named)), page, query);
      case Operation.ReadConflict(var named, var id) -> new Operation.ReadConflict(hold(named), id);
      case Operation.DeleteConflict(var named, var id) ->
          new Operation.DeleteConflict(hold(named), id);
      case Operation.ListResources _ -> operation;
      case Operation.CreateDatabase _, Operation.ReadDatabase _, Operation.DeleteDatabase _ ->
          operation;
      case Operation.CreateContainer _, Operation.ReplaceContainer _ -> operation;
      case Operation.DeleteContainer _, Operation.ReadOffer _, Operation.ReplaceOffer _ ->
          operation;
      case Operation.CreateScript _, Operation.ReplaceScript _, Operation.DeleteScript _ ->
          operation;
      case Operation.UserOperation _, Operation.PermissionOperation _ -> operation;
    };
  }

  private Operation.ItemOperation hold(Operation.ItemOperation operation) {
    ItemScope scope = new ItemScope(hold(operation.scope().container()), operation.scope().key());
    return switch (operation) {
      case Operation.CreateItem(_, var body) -> new Operation.CreateItem(scope, body);
      case Operation.UpsertItem(_, var body, var precondition) ->
          new Operation.UpsertItem(scope, body, precondition);
      case Operation.ReadItem read -> hold(read);
      case Operation.ReplaceItem(_, var item, var body, var precondition) ->
          new Operation.ReplaceItem(scope, hold(item), body, precondition);
      case Operation.PatchItem(_, var item, var patch, var precondition) ->
          new Operation.PatchItem(scope, hold(item), patch, precondition);
      case Operation.MergeItem(_, var body, var precondition, var rule) ->
          new Operation.MergeItem(scope, body, precondition, rule);
      case Operation.DeleteItem(_, var item, var precondition) ->
          new Operation.DeleteItem(scope, hold(item), precondition);
      case Operation.DeleteLogicalPartition(_) -> new Operation.DeleteLogicalPartition(scope);
      case Operation.ExecuteBatch(_, var steps) ->
          new Operation.ExecuteBatch(scope, holdAll(steps));
    };
  }

  private Operation.ReadItem hold(Operation.ReadItem read) {
    ItemScope scope = new ItemScope(hold(read.scope().container()), read.scope().key());
    return new Operation.ReadItem(scope, hold(read.item()), read.precondition());
  }

  /** The same operations by rids. */
  List<Operation.ItemOperation> holdAll(List<Operation.ItemOperation> steps) {
    return steps.stream().map(this::hold).toList();
  }

  /** Keeps the rid that the request names: another one than the container's is still refused. */
  private ContainerRef hold(ContainerRef named) {
    return container.ref(named.intendedRid());
  }

  private ScriptRef hold(ScriptRef script) {
    String name = within instanceof ResourceLink.Script ? rid : script.idOrRid();
    return new ScriptRef(hold(script.container()), script.kind(), name);
  }

  /** Ids of items are used again, too. */
  private ItemRef hold(ItemRef item) {
    return within instanceof ResourceLink.Item ? new ItemRef.ByRid(rid) : item;
  }
}
