package io.orrery.model;

import io.orrery.operation.Body;
import io.orrery.operation.ItemRule;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.operation.Patch;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.partition.ItemTask;
import io.orrery.partition.LogicalKey;
import io.orrery.partition.Target;
import io.orrery.value.ItemBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates requests into tasks of a partition, and outcomes into results. */
final class PartitionTasks {
  static final PartitionKeyDefinition DEFINITION =
      new PartitionKeyDefinition(List.of(List.of("pk")), Hashing.HASH_V2);

  private PartitionTasks() {}

  static LogicalKey key(String key) {
    return LogicalKey.of(PartitionKey.of(key), DEFINITION);
  }

  static ItemTask task(Request request) {
    LogicalKey key = key(request.key());
    return switch (request) {
      case Request.Create(Name name, Content content) ->
          new ItemTask.Create(key, body(name, content));
      case Request.Upsert(Name name, Content content, Condition condition) ->
          new ItemTask.Upsert(key, body(name, content), Items.precondition(condition));
      case Request.Replace replace ->
          new ItemTask.Replace(
              key,
              target(replace.name()),
              body(replace.renamed(), replace.content()),
              Items.precondition(replace.condition()));
      case Request.Patch patch ->
          new ItemTask.PatchOne(
              key, target(patch.name()), patch(patch), Items.precondition(patch.condition()));
      case Request.Delete(Name name, Condition condition) ->
          new ItemTask.Delete(key, target(name), Items.precondition(condition));
      case Request.Read(Name name, Condition condition) ->
          new ItemTask.Read(key, target(name), Items.precondition(condition));
      case Request.Merge(Name name, Content content, Condition condition) ->
          new ItemTask.Merge(
              key, body(name, content), Items.precondition(condition), NumberRule.SMALL);
      case Request.ByNumber(String of, long document, boolean deletes) ->
          deletes
              ? new ItemTask.Delete(key, new Target.Counter(document), Precondition.NONE)
              : new ItemTask.Read(key, new Target.Counter(document), Precondition.NONE);
      case Request.DeleteKey _ -> new ItemTask.DeleteAll(key);
      case Request.Batch(String of, List<Request> steps) ->
          new ItemTask.Batch(key, steps.stream().map(PartitionTasks::task).toList());
      case Request.Script _, Request.Triggered _ ->
          throw new IllegalArgumentException("A partition runs no scripts");
    };
  }

  /** What an item must meet after a merge. */
  enum NumberRule implements ItemRule {
    SMALL;

    @Override
    public @Nullable Refusal refusal(Body item) {
      return Items.content(item).n() > Request.Merge.NUMBER_MAX
          ? new Refusal.BadRequest("The number is too large")
          : null;
    }
  }

  private static ItemBody body(Name name, Content content) {
    return ItemBody.of(Body.json(content.json(name)), DEFINITION);
  }

  private static Target target(Name name) {
    return new Target.Id(name.id());
  }

  static Patch patch(Request.Patch request) {
    Integer above = request.above();
    return new Patch(steps(request.edit()), above == null ? null : "from c where c.n > " + above);
  }

  private static List<Patch.Step> steps(Request.Edit edit) {
    return switch (edit) {
      case Request.Edit.Add(int more) ->
          List.of(new Patch.Increment(path("n"), Body.json(Integer.toString(more))));
      case Request.Edit.Tag(String tag) ->
          List.of(new Patch.Set(path("tag"), Body.json('"' + tag + '"')));
      case Request.Edit.Append(int element) ->
          List.of(new Patch.Add(path("list", "-"), Body.json(Integer.toString(element))));
      case Request.Edit.Nest(int depth) -> {
        var inner = new ArrayList<>(Collections.nCopies(Request.Edit.Nest.FIRST - 1, "0"));
        inner.addFirst("deep");
        String more = Content.arrays(depth - Request.Edit.Nest.FIRST + 1);
        yield List.of(
            new Patch.Set(path("deep"), Body.json(Content.arrays(Request.Edit.Nest.FIRST))),
            new Patch.Replace(new Patch.Path(inner), Body.json(more)));
      }
    };
  }

  private static Patch.Path path(String... segments) {
    return new Patch.Path(List.of(segments));
  }

  static Result result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemCreated(var item) -> new Result.Written(true, Items.version(item));
      case Outcome.ItemReplaced(var item) -> new Result.Written(false, Items.version(item));
      case Outcome.ItemRead(var item) -> new Result.Found(Items.version(item));
      case Outcome.NotModified _ -> Result.Plain.UNCHANGED;
      case Outcome.ItemDeleted _ -> Result.Plain.DELETED;
      case Outcome.LogicalPartitionDeleted _ -> Result.Plain.KEY_DELETED;
      case Outcome.StepsDone(List<Outcome.Step> steps) ->
          new Result.Steps(steps.stream().map(step -> result(step.outcome())).toList());
      case Refusal refusal -> refused(refusal);
      default -> throw new IllegalStateException("Unexpected outcome " + outcome);
    };
  }

  static Result.Refused refused(Refusal refusal) {
    return switch (refusal) {
      case Refusal.NotFound _ -> Result.Refused.NOT_FOUND;
      case Refusal.Conflict _ -> Result.Refused.CONFLICT;
      case Refusal.UniqueKeyTaken _ -> Result.Refused.UNIQUE_KEY;
      case Refusal.PreconditionFailed _ -> Result.Refused.PRECONDITION;
      case Refusal.ConditionNotMet _ -> Result.Refused.CONDITION;
      case Refusal.FailedDependency _ -> Result.Refused.DEPENDENCY;
      case Refusal.BadRequest _ -> Result.Refused.BAD_REQUEST;
      case Refusal.ScriptFailed _ -> Result.Refused.SCRIPT;
      case Refusal.Contended _ -> Result.Refused.CONTENDED;
      case Refusal.Unavailable _, Refusal.TimedOut _, Refusal.TooManyScripts _ ->
          Result.Refused.UNAVAILABLE;
      default -> throw new IllegalStateException("Unexpected refusal " + refusal);
    };
  }
}
