package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.ScriptRef;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogDraft;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.routing.definition.ScriptDefinition;
import java.util.function.Function;

/** Makes, shows, changes and deletes the scripts of containers; running them is not its task. */
final class Scripts {
  private final Catalog catalog;

  Scripts(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * The script that a request means.
   *
   * @throws Refused when it or its container is not there
   */
  static ScriptEntry resolve(CatalogImage image, ScriptRef ref) {
    ContainerEntry container = ItemRouter.resolve(image, ref.container());
    ScriptEntry script = image.script(container, ref.kind(), ref.idOrRid());
    if (script == null) {
      throw new Refused(new Refusal.NotFound());
    }
    return script;
  }

  static RequestCharge charge(Operation.ScriptOperation operation) {
    return operation instanceof Operation.ReadScript ? MetadataCharges.READ : MetadataCharges.WRITE;
  }

  Answer answer(Operation.ScriptOperation operation) {
    return switch (operation) {
      case Operation.CreateScript request -> create(request);
      case Operation.ReadScript request -> read(request);
      case Operation.ReplaceScript request -> replace(request);
      case Operation.DeleteScript request -> delete(request);
    };
  }

  private Answer create(Operation.CreateScript request) {
    ScriptDefinition definition =
        limited(ScriptDefinition.parse(request.kind(), request.definition()));
    return change(
        request.container(),
        draft -> {
          ContainerEntry container = ItemRouter.resolve(draft.before(), request.container());
          refuseTaken(draft, container, definition);
          ScriptEntry created = draft.addScript(container, definition);
          return new Outcome.ResourceCreated(created.resource());
        });
  }

  private static ScriptDefinition limited(ScriptDefinition definition) {
    int size = definition.sourceBytes();
    if (size > ScriptDefinition.SOURCE_BYTES_MAX) {
      throw new Refused(new Refusal.TooLarge(size, ScriptDefinition.SOURCE_BYTES_MAX));
    }
    return definition;
  }

  private static void refuseTaken(
      CatalogDraft draft, ContainerEntry container, ScriptDefinition definition) {
    TakenNames.refuseRid(container.rid(), definition.id());
    if (draft.before().hasScriptNamed(container, definition.kind(), definition.id())) {
      throw new Refused(new Refusal.Conflict());
    }
  }

  private Answer read(Operation.ReadScript request) {
    CatalogImage image = catalog.image();
    var resource = resolve(image, request.script()).resource();
    Outcome outcome =
        Preconditions.isKnown(request.precondition(), resource.etag())
            ? new Outcome.NotModified(resource.etag())
            : new Outcome.ResourceRead(resource);
    return told(image, request.script().container(), outcome, MetadataCharges.READ);
  }

  /** A replace may rename. */
  private Answer replace(Operation.ReplaceScript request) {
    ScriptRef ref = request.script();
    ScriptDefinition definition = limited(ScriptDefinition.parse(ref.kind(), request.definition()));
    return change(
        ref.container(),
        draft -> {
          ScriptEntry present = resolve(draft.before(), ref);
          Preconditions.require(request.precondition(), present.version().etag());
          if (!definition.id().equals(present.id())) {
            refuseTaken(draft, ItemRouter.resolve(draft.before(), ref.container()), definition);
          }
          return new Outcome.ResourceReplaced(draft.replace(present, definition).resource());
        });
  }

  private Answer delete(Operation.DeleteScript request) {
    return change(
        request.script().container(),
        draft -> {
          ScriptEntry present = resolve(draft.before(), request.script());
          Preconditions.require(request.precondition(), present.version().etag());
          draft.remove(present);
          return new Outcome.ResourceDeleted();
        });
  }

  private Answer change(ContainerRef container, Function<CatalogDraft, Outcome> change) {
    Outcome outcome = catalog.change(change);
    return told(catalog.image(), container, outcome, MetadataCharges.WRITE);
  }

  private static Answer told(
      CatalogImage image, ContainerRef ref, Outcome outcome, RequestCharge charge) {
    ContainerEntry container = image.container(ref);
    return new Answer(outcome, charge, container == null ? null : container.asOwner(), null);
  }
}
