package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.definition.DatabaseDefinition;
import io.orrery.routing.definition.ThroughputRules;
import java.util.List;

/** Makes, shows and deletes databases. */
final class Databases {
  private final Catalog catalog;
  private final Containers containers;

  Databases(Catalog catalog, Containers containers) {
    this.catalog = catalog;
    this.containers = containers;
  }

  static DatabaseEntry resolve(CatalogImage image, DatabaseRef ref, Refusal missing) {
    DatabaseEntry database = image.database(ref);
    if (database == null) {
      throw new Refused(missing);
    }
    return database;
  }

  Answer create(Operation.CreateDatabase request) {
    String id = DatabaseDefinition.parse(request.definition()).id();
    TakenNames.refuseRid(null, id);
    var throughput =
        request.throughput() == null ? null : ThroughputRules.check(request.throughput(), false);
    DatabaseEntry created =
        catalog.change(
            draft -> {
              if (draft.before().hasDatabaseNamed(id)) {
                throw new Refused(new Refusal.Conflict());
              }
              DatabaseEntry database = draft.addDatabase(id);
              if (throughput != null) {
                draft.addOffer(database.rid(), database.self(), throughput);
              }
              return database;
            });
    return Answer.of(new Outcome.ResourceCreated(created.resource()), MetadataCharges.WRITE);
  }

  Answer read(Operation.ReadDatabase request) {
    var resource = resolve(catalog.image(), request.database(), new Refusal.NotFound()).resource();
    return Answer.of(
        Preconditions.isKnown(request.precondition(), resource.etag())
            ? new Outcome.NotModified(resource.etag())
            : new Outcome.ResourceRead(resource),
        MetadataCharges.READ);
  }

  Answer delete(Operation.DeleteDatabase request) {
    List<ContainerEntry> gone =
        catalog.change(
            draft -> {
              DatabaseEntry database =
                  resolve(draft.before(), request.database(), new Refusal.NotFound());
              Preconditions.require(request.precondition(), database.version().etag());
              return draft.remove(database);
            });
    gone.forEach(containers::retire);
    return Answer.of(new Outcome.ResourceDeleted(), MetadataCharges.WRITE);
  }
}
