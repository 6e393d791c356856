package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.routing.definition.ScriptDefinition;
import io.orrery.routing.definition.ScriptDefinition.Moment;
import io.orrery.routing.definition.ScriptDefinition.Occasion;
import io.orrery.script.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The triggers of an operation: found, and allowed to go with it. */
record Triggers(List<ScriptEntry> before, List<ScriptEntry> after, ScriptCall.Operation operation) {
  /** Each has the time of a script, and all run in one transaction. */
  private static final int TRIGGERS_MAX = 10;

  /**
   * Finds what a request names.
   *
   * @throws Refused when a trigger is not there, or is not for this operation or moment
   */
  static Triggers of(
      Operation.ExecuteWithTriggers request, ContainerEntry container, CatalogImage image) {
    ScriptCall.Operation operation = operation(request.operation());
    if (request.before().size() + request.after().size() > TRIGGERS_MAX) {
      throw bad(
          "The request names more than "
              + TRIGGERS_MAX
              + " triggers: let one trigger do the work of several.");
    }
    return new Triggers(
        found(request.before(), Moment.PRE, operation, container, image),
        found(request.after(), Moment.POST, operation, container, image),
        operation);
  }

  private static ScriptCall.Operation operation(Operation.ItemOperation operation) {
    return switch (operation) {
      case Operation.CreateItem _ -> ScriptCall.Operation.CREATE;
      case Operation.UpsertItem _ -> ScriptCall.Operation.UPSERT;
      case Operation.ReplaceItem _ -> ScriptCall.Operation.REPLACE;
      case Operation.DeleteItem _ -> ScriptCall.Operation.DELETE;
      case Operation.ReadItem _,
          Operation.PatchItem _,
          Operation.MergeItem _,
          Operation.DeleteLogicalPartition _,
          Operation.ExecuteBatch _ ->
          throw bad("Triggers go with create, replace, upsert and delete of one item only.");
    };
  }

  private static List<ScriptEntry> found(
      List<String> names,
      Moment moment,
      ScriptCall.Operation operation,
      ContainerEntry container,
      CatalogImage image) {
    return names.stream().map(name -> found(name, moment, operation, container, image)).toList();
  }

  private static ScriptEntry found(
      String name,
      Moment moment,
      ScriptCall.Operation operation,
      ContainerEntry container,
      CatalogImage image) {
    ScriptEntry entry = image.script(container, ScriptKind.TRIGGER, name);
    if (entry == null) {
      throw bad("The trigger '" + name + "' does not exist. Create it in the container first.");
    }
    ScriptDefinition.Trigger trigger = entry.definition().trigger();
    if (trigger == null || trigger.moment() != moment) {
      throw bad(
          "The trigger '"
              + name
              + "' is asked for as a "
              + (moment == Moment.PRE ? "pre" : "post")
              + "-trigger, which it is not.");
    }
    if (!occasions(operation).contains(trigger.occasion())) {
      throw bad(
          "The trigger '"
              + name
              + "' is for other operations: its triggerOperation is "
              + trigger.occasion()
              + ".");
    }
    return entry;
  }

  private static Set<Occasion> occasions(ScriptCall.Operation operation) {
    return switch (operation) {
      case CREATE -> Set.of(Occasion.ALL, Occasion.CREATE);
      case REPLACE -> Set.of(Occasion.ALL, Occasion.REPLACE, Occasion.UPDATE);
      case UPSERT -> Set.of(Occasion.ALL, Occasion.CREATE, Occasion.REPLACE, Occasion.UPDATE);
      case DELETE -> Set.of(Occasion.ALL, Occasion.DELETE);
      case EXECUTE -> Set.of();
    };
  }

  private static Refused bad(String message) {
    return new Refused(new Refusal.BadRequest(message));
  }

  /** The item that an operation brings. */
  static @Nullable String body(Operation.ItemOperation operation) {
    Body body =
        switch (operation) {
          case Operation.CreateItem create -> create.body();
          case Operation.UpsertItem upsert -> upsert.body();
          case Operation.ReplaceItem replace -> replace.body();
          default -> null;
        };
    return body == null ? null : new String(body.bytes().array(), StandardCharsets.UTF_8);
  }

  /** The same operation with another item. */
  static Operation.ItemOperation with(Operation.ItemOperation operation, @Nullable String item) {
    if (item == null) {
      return operation;
    }
    Body body = Body.json(item);
    return switch (operation) {
      case Operation.CreateItem(var scope, var old) -> new Operation.CreateItem(scope, body);
      case Operation.UpsertItem(var scope, var old, var precondition) ->
          new Operation.UpsertItem(scope, body, precondition);
      case Operation.ReplaceItem(var scope, var ref, var old, var precondition) ->
          new Operation.ReplaceItem(scope, ref, body, precondition);
      default -> operation;
    };
  }
}
