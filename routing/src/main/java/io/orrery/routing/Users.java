package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.UserRef;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogDraft;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.UserEntry;
import io.orrery.routing.definition.UserDefinition;
import java.util.function.Function;

/** Makes, shows, renames and deletes the users of databases. */
final class Users {
  private final Catalog catalog;

  Users(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * The user that a request means.
   *
   * @throws Refused when its database is not there, or as told when it is not there itself
   */
  static UserEntry resolve(CatalogImage image, UserRef ref, Refusal missing) {
    DatabaseEntry database = Databases.resolve(image, ref.database(), new Refusal.OwnerNotFound());
    UserEntry user = image.user(database, ref.idOrRid());
    if (user == null) {
      throw new Refused(missing);
    }
    return user;
  }

  static RequestCharge charge(Operation.UserOperation operation) {
    return operation instanceof Operation.ReadUser ? MetadataCharges.READ : MetadataCharges.WRITE;
  }

  Answer answer(Operation.UserOperation operation) {
    return switch (operation) {
      case Operation.CreateUser(var database, var definition) -> {
        String id = UserDefinition.parse(definition).id();
        yield change(database, draft -> create(draft, database, id));
      }
      case Operation.UpsertUser request -> upsert(request);
      case Operation.ReadUser request -> read(request);
      case Operation.ReplaceUser request -> replace(request);
      case Operation.DeleteUser request -> delete(request);
    };
  }

  private static Outcome create(CatalogDraft draft, DatabaseRef ref, String id) {
    DatabaseEntry database = Databases.resolve(draft.before(), ref, new Refusal.OwnerNotFound());
    refuseTaken(draft.before(), database, id);
    return new Outcome.ResourceCreated(draft.addUser(database, id).resource());
  }

  private static void refuseTaken(CatalogImage image, DatabaseEntry database, String id) {
    TakenNames.refuseRid(database.rid(), id);
    UserEntry named = image.user(database, id);
    if (named != null && named.id().equals(id)) {
      throw new Refused(new Refusal.Conflict());
    }
  }

  /** There is nothing in a user to change but its id, by which an upsert finds it. */
  private Answer upsert(Operation.UpsertUser request) {
    String id = UserDefinition.parse(request.definition()).id();
    return change(
        request.database(),
        draft -> {
          DatabaseEntry database =
              Databases.resolve(draft.before(), request.database(), new Refusal.OwnerNotFound());
          UserEntry present = draft.before().user(database, id);
          if (present == null || !present.id().equals(id)) {
            return create(draft, request.database(), id);
          }
          Preconditions.require(request.precondition(), present.version().etag());
          return new Outcome.ResourceReplaced(draft.replace(present, id).resource());
        });
  }

  private Answer read(Operation.ReadUser request) {
    CatalogImage image = catalog.image();
    UserEntry user = resolve(image, request.user(), new Refusal.NotFound());
    var etag = user.version().etag();
    return new Answer(
        Preconditions.isKnown(request.precondition(), etag)
            ? new Outcome.NotModified(etag)
            : new Outcome.ResourceRead(user.resource()),
        MetadataCharges.READ,
        user.database().asOwner(),
        null);
  }

  private Answer replace(Operation.ReplaceUser request) {
    String id = UserDefinition.parse(request.definition()).id();
    return change(
        request.user().database(),
        draft -> {
          UserEntry present = resolve(draft.before(), request.user(), new Refusal.NotFound());
          Preconditions.require(request.precondition(), present.version().etag());
          if (!present.id().equals(id)) {
            refuseTaken(draft.before(), present.database(), id);
          }
          return new Outcome.ResourceReplaced(draft.replace(present, id).resource());
        });
  }

  private Answer delete(Operation.DeleteUser request) {
    return change(
        request.user().database(),
        draft -> {
          UserEntry present = resolve(draft.before(), request.user(), new Refusal.NotFound());
          Preconditions.require(request.precondition(), present.version().etag());
          draft.remove(present);
          return new Outcome.ResourceDeleted();
        });
  }

  private Answer change(DatabaseRef ref, Function<CatalogDraft, Outcome> change) {
    Outcome outcome = catalog.change(change);
    DatabaseEntry database = catalog.image().database(ref);
    return new Answer(
        outcome, MetadataCharges.WRITE, database == null ? null : database.asOwner(), null);
  }
}
