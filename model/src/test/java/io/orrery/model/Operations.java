package io.orrery.model;

import io.orrery.operation.Body;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ItemOperation;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.ResourceId;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.ScriptRef;
import io.orrery.operation.SqlQuery;
import java.util.List;
import java.util.Map;

/** Translates requests into operations of a database. */
final class Operations {
  static final ContainerRef CONTAINER = ContainerRef.of("d", "c");

  private static final int CHANGES_MAX = 1_000;

  /** Of the first container of the first database. */
  private static final String RID = ResourceId.container(1, 1);

  private Operations() {}

  /** Any request, those that run scripts included. */
  static Operation any(Request request) {
    return switch (request) {
      case Request.Script script ->
          new Operation.ExecuteScript(
              new ScriptRef(CONTAINER, ScriptKind.STORED_PROCEDURE, Scripts.PROCEDURE),
              PartitionKey.of(script.key()),
              Body.json(Scripts.arguments(script)));
      case Request.Triggered(Request.One operation, boolean before, boolean after) ->
          new Operation.ExecuteWithTriggers(
              of(operation),
              before ? List.of(Scripts.BEFORE) : List.of(),
              after ? List.of(Scripts.AFTER) : List.of());
      default -> of(request);
    };
  }

  static ItemOperation of(Request request) {
    var scope = new ItemScope(CONTAINER, PartitionKey.of(request.key()));
    return switch (request) {
      case Request.Create(Name name, Content content) ->
          new Operation.CreateItem(scope, body(name, content));
      case Request.Upsert(Name name, Content content, Condition condition) ->
          new Operation.UpsertItem(scope, body(name, content), Items.precondition(condition));
      case Request.Replace replace ->
          new Operation.ReplaceItem(
              scope,
              item(replace.name()),
              body(replace.renamed(), replace.content()),
              Items.precondition(replace.condition()));
      case Request.Patch patch ->
          new Operation.PatchItem(
              scope,
              item(patch.name()),
              PartitionTasks.patch(patch),
              Items.precondition(patch.condition()));
      case Request.Delete(Name name, Condition condition) ->
          new Operation.DeleteItem(scope, item(name), Items.precondition(condition));
      case Request.Read(Name name, Condition condition) ->
          new Operation.ReadItem(scope, item(name), Items.precondition(condition));
      case Request.Merge(Name name, Content content, Condition condition) ->
          new Operation.MergeItem(
              scope,
              body(name, content),
              Items.precondition(condition),
              PartitionTasks.NumberRule.SMALL);
      case Request.ByNumber(String key, long document, boolean deletes) -> {
        var item = new ItemRef.ByRid(ResourceId.item(RID, document));
        yield deletes
            ? new Operation.DeleteItem(scope, item, Precondition.NONE)
            : new Operation.ReadItem(scope, item, Precondition.NONE);
      }
      case Request.DeleteKey _ -> new Operation.DeleteLogicalPartition(scope);
      case Request.Batch(String key, List<Request> steps) ->
          new Operation.ExecuteBatch(scope, steps.stream().map(Operations::of).toList());
      case Request.Script _, Request.Triggered _ ->
          throw new IllegalArgumentException("It is more than an operation on an item");
    };
  }

  private static ItemRef item(Name name) {
    return new ItemRef.ById(name.id());
  }

  private static Body body(Name name, Content content) {
    return Body.json(content.json(name));
  }

  static Operation query(String sql, Cover cover, PageRequest page) {
    return new Operation.QueryItems(
        Operations.CONTAINER,
        new SqlQuery(sql, Map.of()),
        cover.scope(),
        page,
        QueryOptions.ANYWHERE);
  }

  static Operation changes(String key, long after, boolean allVersions) {
    return new Operation.ReadChanges(
        Operations.CONTAINER,
        Cover.of(key).scope(),
        new ChangeStart.After(after),
        CHANGES_MAX,
        allVersions);
  }
}
