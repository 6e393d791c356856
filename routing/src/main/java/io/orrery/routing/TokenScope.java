package io.orrery.routing;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceId;
import io.orrery.operation.ScriptRef;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.PermissionEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.routing.definition.ResourceLink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a permission reaches: a container, a key of it, or one thing in it. */
final class TokenScope {
  static final String OTHER_ITEM = "The resource token is for another item.";
  private static final String OTHER_CONTAINER = "The resource token is for another container.";
  private static final String OTHER_RESOURCE =
      "The resource token is for one item or script of the container, not for this.";
  private static final String OTHER_KEY =
      "The resource token is for one partition key: the request must name it in"
          + " x-ms-documentdb-partitionkey.";
  private static final String READ_ONLY =
      "The resource token is for reading: its permission has the mode Read, this needs All.";

  private final CatalogImage image;
  private final ContainerEntry container;
  private final PermissionEntry permission;
  private final ResourceLink.@Nullable Within within;

  private TokenScope(CatalogImage image, ContainerEntry container, PermissionEntry permission) {
    this.image = image;
    this.container = container;
    this.permission = permission;
    this.within = permission.definition().link().within();
  }

  /** The scope of a permission, or null when its resource is gone. */
  static @Nullable TokenScope of(CatalogImage image, PermissionEntry permission) {
    ContainerEntry container =
        image.containerByRid(ResourceId.containerOf(permission.resourceRid()));
    if (container == null) {
      return null;
    }
    var scope = new TokenScope(image, container, permission);
    if (scope.within instanceof ResourceLink.Script(var kind, var name)) {
      ScriptEntry script = image.script(container, kind, permission.resourceRid());
      return script == null || !script.rid().equals(permission.resourceRid()) ? null : scope;
    }
    return scope;
  }

  static Refused forbidden(String message) {
    return new Refused(new Refusal.Forbidden(message));
  }

  /** The operation on what the permission is for, also if something else takes its name. */
  Operation held(Operation operation) {
    return new PinnedContainer(container, within, permission.resourceRid()).hold(operation);
  }

  /** Whatever of the container it is for: clients read the container itself before anything. */
  void require(ContainerRef ref) {
    ContainerEntry named = image.container(ref);
    if (named == null || named.number() != container.number()) {
      throw forbidden(OTHER_CONTAINER);
    }
  }

  /** The scope that is charged: the key of the permission, else what the request names. */
  FeedScope payer(ContainerRef ref, FeedScope asked) {
    require(ref);
    PartitionKey own = permission.definition().key();
    return own == null ? asked : new FeedScope.OfKey(own);
  }

  /** The items of the container, all or those of a key. */
  void requireItems(ContainerRef ref) {
    require(ref);
    if (within != null) {
      throw forbidden(OTHER_RESOURCE);
    }
  }

  /** All that is in the container. */
  void requireWhole(ContainerRef ref) {
    requireItems(ref);
    if (permission.definition().key() != null) {
      throw forbidden(OTHER_KEY);
    }
  }

  void requireWriting() {
    if (!permission.definition().writes()) {
      throw forbidden(READ_ONLY);
    }
  }

  /** A part of the items: only of the key where there is one. */
  void requirePart(ContainerRef ref, FeedScope part) {
    requireItems(ref);
    requireKey(part instanceof FeedScope.OfKey(PartitionKey key) ? key : null);
  }

  private void requireKey(@Nullable PartitionKey given) {
    PartitionKey own = permission.definition().key();
    if (own != null && (given == null || !given.beginsWith(own))) {
      throw forbidden(OTHER_KEY);
    }
  }

  void requireScript(ScriptRef ref) {
    if (within == null) {
      requireWhole(ref.container());
      return;
    }
    require(ref.container());
    ScriptEntry script = image.script(container, ref.kind(), ref.idOrRid());
    if (script == null || !script.rid().equals(permission.resourceRid())) {
      throw forbidden(OTHER_RESOURCE);
    }
  }

  /** A script works within one key: whoever may write its items may run it there. */
  void requireRun(ScriptRef ref, @Nullable PartitionKey key) {
    if (within == null) {
      requireItems(ref.container());
    } else {
      requireScript(ref);
    }
    requireKey(key);
    requireWriting();
  }

  /** Triggers reach all items of the key, so one item is not enough. */
  void requireTriggered(ItemScope scope) {
    requireItems(scope.container());
    requireKey(scope.key());
    requireWriting();
  }

  void requireSteps(ContainerRef ref, List<Operation.ItemOperation> steps) {
    requireItems(ref);
    for (Operation.ItemOperation step : steps) {
      var _ = requireItem(step);
    }
  }

  /** Gives back the condition on which the operation may go on; null for none. */
  @Nullable ItemCondition requireItem(Operation.ItemOperation operation) {
    ItemScope scope = operation.scope();
    require(scope.container());
    requireKey(scope.key());
    ItemRef item =
        switch (operation) {
          case Operation.ReadItem(var s, var named, var precondition) -> named;
          case Operation.ReplaceItem(var s, var named, var body, var precondition) -> {
            requireWriting();
            yield named;
          }
          case Operation.PatchItem(var s, var named, var patch, var precondition) -> {
            requireWriting();
            yield named;
          }
          case Operation.DeleteItem(var s, var named, var precondition) -> {
            requireWriting();
            yield named;
          }
          case Operation.CreateItem o -> {
            requireWriting();
            yield null;
          }
          case Operation.UpsertItem o -> {
            requireWriting();
            yield null;
          }
          case Operation.MergeItem o -> {
            requireWriting();
            yield null;
          }
          case Operation.DeleteLogicalPartition o -> {
            requireWriting();
            yield null;
          }
          case Operation.ExecuteBatch(var s, var steps) -> {
            requireSteps(scope.container(), steps);
            yield null;
          }
        };
    return condition(scope, item);
  }

  private @Nullable ItemCondition condition(ItemScope scope, @Nullable ItemRef item) {
    return switch (within) {
      case null -> null;
      case ResourceLink.Script s -> throw forbidden(OTHER_RESOURCE);
      case ResourceLink.Item i when item != null ->
          new ItemCondition(
              new Operation.ReadItem(scope, item, Precondition.NONE),
              ResourceId.counterOf(container.rid(), permission.resourceRid()));
      case ResourceLink.Item i -> throw forbidden(OTHER_RESOURCE);
    };
  }
}
