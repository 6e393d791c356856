package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PermissionRef;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.UserRef;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogDraft;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.PermissionEntry;
import io.orrery.routing.catalog.UserEntry;
import io.orrery.routing.definition.PermissionDefinition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes, shows, changes and deletes the permissions of users, each shown with a new token. */
final class Permissions {
  private final Catalog catalog;
  private final PermittedResources resources;
  private final ResourceTokens tokens;

  Permissions(Catalog catalog, PermittedResources resources, ResourceTokens tokens) {
    this.catalog = catalog;
    this.resources = resources;
    this.tokens = tokens;
  }

  static RequestCharge charge(Operation.PermissionOperation operation) {
    return operation instanceof Operation.ReadPermission
        ? MetadataCharges.READ
        : MetadataCharges.WRITE;
  }

  /** May ask partitions for an item that a permission names: blocks. */
  Answer answer(Operation.PermissionOperation operation) {
    return switch (operation) {
      case Operation.CreatePermission(var user, var definition, int seconds) -> {
        var asked = asked(user, PermissionDefinition.parse(definition));
        yield change(user, draft -> create(draft, user, asked, seconds));
      }
      case Operation.UpsertPermission request -> upsert(request);
      case Operation.ReadPermission request -> read(request);
      case Operation.ReplacePermission request -> replace(request);
      case Operation.DeletePermission request -> delete(request);
    };
  }

  /** What a client wrote, with the resource that it means. */
  private record Asked(PermissionDefinition definition, String resourceRid) {}

  private Asked asked(UserRef ref, PermissionDefinition definition) {
    UserEntry user = user(catalog.image(), ref);
    return new Asked(definition, resources.find(catalog.image(), user, definition));
  }

  private static UserEntry user(CatalogImage image, UserRef ref) {
    return Users.resolve(image, ref, new Refusal.OwnerNotFound());
  }

  private static PermissionEntry resolve(CatalogImage image, PermissionRef ref) {
    PermissionEntry permission = image.permission(user(image, ref.user()), ref.idOrRid());
    if (permission == null) {
      throw new Refused(new Refusal.NotFound());
    }
    return permission;
  }

  private Outcome create(CatalogDraft draft, UserRef ref, Asked asked, int seconds) {
    UserEntry user = user(draft.before(), ref);
    refuseTaken(draft.before(), user, asked, null);
    PermissionEntry created = draft.addPermission(user, asked.definition(), asked.resourceRid());
    return new Outcome.ResourceCreated(tokens.show(created, seconds));
  }

  /** Neither the id nor the resource may be that of another permission of the user. */
  private static void refuseTaken(
      CatalogImage image, UserEntry user, Asked asked, @Nullable PermissionEntry itself) {
    TakenNames.refuseRid(user.rid(), asked.definition().id());
    boolean taken =
        image.permissionsOf(user).values().stream()
            .filter(other -> itself == null || other.number() != itself.number())
            .anyMatch(
                other ->
                    other.id().equals(asked.definition().id())
                        || other.isFor(asked.resourceRid(), asked.definition()));
    if (taken) {
      throw new Refused(new Refusal.Conflict());
    }
  }

  private Answer upsert(Operation.UpsertPermission request) {
    var asked = asked(request.user(), PermissionDefinition.parse(request.definition()));
    return change(
        request.user(),
        draft -> {
          UserEntry user = user(draft.before(), request.user());
          String id = asked.definition().id();
          PermissionEntry present = draft.before().permission(user, id);
          return present == null || !present.id().equals(id)
              ? create(draft, request.user(), asked, request.validSeconds())
              : replace(draft, present, asked, request.precondition(), request.validSeconds());
        });
  }

  private Outcome replace(
      CatalogDraft draft,
      PermissionEntry present,
      Asked asked,
      Precondition precondition,
      int seconds) {
    Preconditions.require(precondition, present.version().etag());
    UserEntry user = draft.before().user(present);
    if (user != null) {
      refuseTaken(draft.before(), user, asked, present);
    }
    PermissionEntry changed = draft.replace(present, asked.definition(), asked.resourceRid());
    return new Outcome.ResourceReplaced(tokens.show(changed, seconds));
  }

  private Answer read(Operation.ReadPermission request) {
    CatalogImage image = catalog.image();
    PermissionEntry permission = resolve(image, request.permission());
    var etag = permission.version().etag();
    return new Answer(
        Preconditions.isKnown(request.precondition(), etag)
            ? new Outcome.NotModified(etag)
            : new Outcome.ResourceRead(tokens.show(permission, request.validSeconds())),
        MetadataCharges.READ,
        user(image, request.permission().user()).asOwner(),
        null);
  }

  private Answer replace(Operation.ReplacePermission request) {
    UserRef user = request.permission().user();
    var asked = asked(user, PermissionDefinition.parse(request.definition()));
    return change(
        user,
        draft ->
            replace(
                draft,
                resolve(draft.before(), request.permission()),
                asked,
                request.precondition(),
                request.validSeconds()));
  }

  private Answer delete(Operation.DeletePermission request) {
    return change(
        request.permission().user(),
        draft -> {
          PermissionEntry present = resolve(draft.before(), request.permission());
          Preconditions.require(request.precondition(), present.version().etag());
          draft.remove(present);
          return new Outcome.ResourceDeleted();
        });
  }

  private Answer change(UserRef ref, Function<CatalogDraft, Outcome> change) {
    var owner = user(catalog.image(), ref).asOwner();
    Outcome outcome = catalog.change(change);
    return new Answer(outcome, MetadataCharges.WRITE, owner, null);
  }
}
