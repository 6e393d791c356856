package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.partition.Partition;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogDraft;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.routing.definition.ContainerDefinition;
import io.orrery.routing.definition.ThroughputRules;
import io.orrery.storage.CommitUndecided;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes, shows, changes and deletes containers, with the partitions behind them. */
final class Containers {
  /** The documents of the seeds: a container that is to grow is created with at least this. */
  private static final int SPLITTABLE_UNITS_MIN = 1_000;

  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final Workers workers;
  private final Limits limits;

  Containers(
      Catalog catalog, Partitions partitions, Budgets budgets, Workers workers, Limits limits) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.workers = workers;
    this.limits = limits;
  }

  private static ContainerEntry resolve(CatalogImage image, ContainerRef ref) {
    Databases.resolve(image, ref.database(), new Refusal.OwnerNotFound());
    if (image.container(ref) == null) {
      throw new Refused(new Refusal.NotFound());
    }
    return ItemRouter.resolve(image, ref);
  }

  /**
   * Makes the partitions under an intent, then lets one commit decide that they are a container.
   * Until then nobody sees them, and recovery drops them.
   */
  Answer create(Operation.CreateContainer request) {
    var definition = ContainerDefinition.parse(request.definition(), limits.fixedContainers());
    boolean fixed = definition.key().isNone();
    Throughput own =
        request.throughput() == null ? null : ThroughputRules.check(request.throughput(), fixed);
    Intent intent =
        catalog.change(
            draft -> {
              DatabaseEntry database = owner(draft.before(), request);
              refuseTaken(draft.before(), database, definition);
              var throughput = Provisioning.of(draft.before(), database, own);
              int count = fixed ? 1 : Provisioning.partitionsFor(throughput, limits);
              return draft.addIntent(count, List.of());
            });
    ContainerEntry created;
    try {
      partitions.create(intent.partitions());
      created = catalog.change(draft -> decide(draft, request, definition, own, intent));
    } catch (CommitUndecided e) {
      // It may have happened: whoever opens the storage next knows.
      throw e;
    } catch (RuntimeException e) {
      undo(intent);
      throw e;
    }
    return new Answer(
        new Outcome.ResourceCreated(created.resource()),
        MetadataCharges.WRITE,
        created.database().asOwner(),
        null);
  }

  private static DatabaseEntry owner(CatalogImage image, Operation.CreateContainer request) {
    return Databases.resolve(image, request.database(), new Refusal.OwnerNotFound());
  }

  private static void refuseTaken(
      CatalogImage image, DatabaseEntry database, ContainerDefinition definition) {
    TakenNames.refuseRid(database.rid(), definition.id());
    if (image.hasContainerNamed(database, definition.id())) {
      throw new Refused(new Refusal.Conflict());
    }
  }

  private ContainerEntry decide(
      CatalogDraft draft,
      Operation.CreateContainer request,
      ContainerDefinition definition,
      @Nullable Throughput own,
      Intent intent) {
    CatalogImage image = draft.before();
    if (!image.intents().contains(intent)) {
      throw new NotHere("Whoever leads now has undone this");
    }
    DatabaseEntry database = owner(image, request);
    refuseTaken(image, database, definition);
    // The documents that offer fixed containers are those that ask for 1,000 RU/s at creation.
    boolean splittable =
        !definition.key().isNone()
            && (!limits.fixedContainers()
                || Provisioning.of(image, database, own).peakUnitsPerSecond()
                    >= SPLITTABLE_UNITS_MIN);
    ContainerEntry container = draft.addContainer(database, definition, splittable, intent);
    if (own != null || image.offerOf(database.rid()) == null) {
      draft.addOffer(
          container.rid(), container.self(), own == null ? ThroughputRules.DEFAULT : own);
    }
    return container;
  }

  private void undo(Intent intent) {
    workers.runInBackground(
        "undo of a container's creation",
        () -> {
          if (catalog.image().containerOf(intent.partitions().getFirst()) != null) {
            return; // decided, whatever went wrong afterwards
          }
          partitions.drop(intent.partitions());
          catalog.change(
              draft -> {
                draft.remove(intent);
                return null;
              });
        });
  }

  Answer read(Operation.ReadContainer request) {
    ContainerEntry container = resolve(catalog.image(), request.container());
    var resource = container.resource();
    return new Answer(
        Preconditions.isKnown(request.precondition(), resource.etag())
            ? new Outcome.NotModified(resource.etag())
            : new Outcome.ContainerRead(resource, indexedPercent(container)),
        MetadataCharges.READ,
        container.database().asOwner(),
        null);
  }

  /** The slowest range counts; asking it also makes it go on where a stop interrupted it. */
  private int indexedPercent(ContainerEntry container) {
    int least = 100;
    for (MappedRange range : container.map().ranges()) {
      Partition partition = partitions.of(container, range);
      if (partition != null) {
        least = Math.min(least, partition.indexProgress());
      }
    }
    return least;
  }

  Answer replace(Operation.ReplaceContainer request) {
    ContainerEntry changed =
        catalog.change(
            draft -> {
              ContainerEntry present = resolve(draft.before(), request.container());
              Preconditions.require(request.precondition(), present.version().etag());
              return draft.replace(present, changed(present.definition(), request));
            });
    partitions.refresh(changed);
    return new Answer(
        new Outcome.ResourceReplaced(changed.resource()),
        MetadataCharges.WRITE,
        changed.database().asOwner(),
        null);
  }

  private ContainerDefinition changed(
      ContainerDefinition present, Operation.ReplaceContainer request) {
    boolean fixedAllowed = limits.fixedContainers() || present.key().isNone();
    var next = ContainerDefinition.parse(request.definition(), fixedAllowed);
    if (!next.id().equals(present.id())) {
      throw new Refused(new Refusal.BadRequest("The id of a container cannot be changed."));
    }
    if (!next.hasKeyOf(present)) {
      throw new Refused(
          new Refusal.BadRequest("Document collection partition key cannot be changed."));
    }
    if (!next.hasUniqueKeysOf(present)) {
      throw new Refused(new Refusal.Forbidden("The unique index cannot be modified"));
    }
    return next.withKeyOf(present);
  }

  Answer delete(Operation.DeleteContainer request) {
    ContainerEntry gone =
        catalog.change(
            draft -> {
              ContainerEntry present = resolve(draft.before(), request.container());
              Preconditions.require(request.precondition(), present.version().etag());
              draft.remove(present);
              return present;
            });
    retire(gone);
    return new Answer(
        new Outcome.ResourceDeleted(), MetadataCharges.WRITE, gone.database().asOwner(), null);
  }

  /** Ends the calls that still run in a deleted container and frees its space. */
  void retire(ContainerEntry gone) {
    var ids = gone.map().ranges().stream().map(MappedRange::partition).toList();
    budgets.forget(gone.map().ranges());
    workers.runInBackground("drop of a container's partitions", () -> partitions.drop(ids));
  }

  /** One region has no conflicts: none is found. */
  Answer noConflict(ContainerRef ref) {
    ItemRouter.resolve(catalog.image(), ref);
    throw new Refused(new Refusal.NotFound());
  }

  Answer ranges(Operation.ReadPartitionKeyRanges request) {
    ContainerEntry container = ItemRouter.resolve(catalog.image(), request.container());
    var map = container.map();
    var etag = map.version().etag();
    if (etag.equals(request.known())) {
      return new Answer(
          new Outcome.NotModified(etag), MetadataCharges.READ, container.asOwner(), null);
    }
    List<PartitionKeyRange> ranges = new ArrayList<>();
    double share = 1.0 / map.ranges().size();
    var lsns = new PartitionLsns(partitions);
    for (MappedRange range : map.ranges()) {
      ranges.add(
          new PartitionKeyRange(
              range.number(), range.epks(), range.parents(), share, lsns.read(range)));
    }
    return new Answer(
        new Outcome.Ranges(ranges, etag), MetadataCharges.READ, container.asOwner(), null);
  }
}
