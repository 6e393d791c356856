package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation.ReadChanges;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.partition.ChangeTask;
import io.orrery.partition.Changes;
import io.orrery.partition.FeedPage;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.HistoryTrimmed;
import io.orrery.partition.LogicalKey;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.PositionAhead;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.GoneRange;
import io.orrery.routing.catalog.MappedRange;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the changes of one range, or of a part of it; their order is that of its transactions. */
final class ChangeFeed {
  private static final int ITEMS_DEFAULT = 100;

  private final Catalog catalog;
  private final Partitions partitions;
  private final ItemTasks tasks;
  private final Budgets budgets;
  private final Limits limits;

  ChangeFeed(
      Catalog catalog, Partitions partitions, ItemTasks tasks, Budgets budgets, Limits limits) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.tasks = tasks;
    this.budgets = budgets;
    this.limits = limits;
  }

  /** The range to ask, and what of it. */
  private record Source(MappedRange range, FeedSlice slice) {
    @Nullable PartitionKey key() {
      return slice instanceof FeedSlice.OneKey(LogicalKey only) ? only.key() : null;
    }
  }

  /**
   * Reads a page, or tells why it is refused; blocks.
   *
   * @param cancelled says when the page is no longer wanted
   */
  Answer read(ReadChanges request, BooleanSupplier cancelled) {
    var draw = new PageDraw(budgets, FeedPage.CHARGE_MIN);
    return draw.settled(
        () -> MapIsStale.again(partitions, () -> page(request, catalog.image(), draw, cancelled)));
  }

  private Answer page(
      ReadChanges request, CatalogImage image, PageDraw draw, BooleanSupplier cancelled) {
    ContainerEntry container = ItemRouter.resolve(image, request.container());
    if (request.allVersions()) {
      requireVersions(request, container);
    }
    Source source = source(request.scope(), container);
    draw.begin(image, container, source.key());
    draw.admit(source.range);
    try (QueryBudget budget = FeedGathering.budget(cancelled)) {
      Changes found = changes(request, container, source, draw, budget);
      draw.used(source.range, found.charge());
      return new Answer(
          new Outcome.ChangePage(found.changes(), found.reached(), found.more()),
          found.charge(),
          container.asOwner(),
          new Answer.Position(source.range.id(), found.lsn(), found.lsn()));
    }
  }

  private static void requireVersions(ReadChanges request, ContainerEntry container) {
    if (container.definition().versionRetention().isZero()) {
      throw new Refused(
          new Refusal.BadRequest(
              "All versions and deletes are kept only where the container's changeFeedPolicy has a"
                  + " retentionDuration."));
    }
    if (request.start() instanceof ChangeStart.Beginning) {
      throw new Refused(
          new Refusal.BadRequest(
              "All versions and deletes cannot be read from the beginning: start now, or at a"
                  + " continuation within the retention."));
    }
  }

  private Source source(FeedScope scope, ContainerEntry container) {
    return switch (scope) {
      case FeedScope.Whole() -> only(container, EpkRange.ALL, PartitionKey.EMPTY);
      case FeedScope.OfKey(PartitionKey given) ->
          ofKey(tasks.fitted(given, container.key()), container);
      case FeedScope.OfRange(String id, EpkRange part) -> {
        MappedRange range = container.map().byId(id);
        if (range == null) {
          // Clients then learn the new ranges and share them out among themselves.
          boolean gone = container.map().goneById(id) != null;
          throw new Refused(gone ? new Refusal.RangeGone() : new Refusal.NotFound());
        }
        EpkRange epks = part == null ? range.epks() : part;
        yield new Source(range, slice(range, epks, PartitionKey.EMPTY));
      }
    };
  }

  private static Source ofKey(PartitionKey key, ContainerEntry container) {
    if (key.components().size() < container.key().paths().size()) {
      return only(container, EffectivePartitionKey.rangeOf(key, container.key()), key);
    }
    LogicalKey logical = LogicalKey.of(key, container.key());
    return new Source(container.map().find(logical.epk()), new FeedSlice.OneKey(logical));
  }

  /**
   * Changes of several ranges have no common order.
   *
   * @param prefix the first components of the keys; empty for all keys
   */
  private static Source only(ContainerEntry container, EpkRange epks, PartitionKey prefix) {
    List<MappedRange> ranges = container.map().overlapping(epks);
    if (ranges.size() > 1) {
      throw new Refused(
          new Refusal.BadRequest(
              "The change feed of a container with several ranges is read range by range: give"
                  + " x-ms-documentdb-partitionkeyrangeid or x-ms-documentdb-partitionkey."));
    }
    return new Source(ranges.getFirst(), slice(ranges.getFirst(), epks, prefix));
  }

  private static FeedSlice slice(MappedRange range, EpkRange epks, PartitionKey prefix) {
    EpkRange part = epks.intersect(range.epks());
    return new FeedSlice.Range(part.equals(range.epks()) ? EpkRange.ALL : part, prefix);
  }

  private Changes changes(
      ReadChanges request,
      ContainerEntry container,
      Source source,
      PageDraw draw,
      QueryBudget budget) {
    Partition partition = partitions.of(container, source.range);
    if (partition == null) {
      throw new MapIsStale(source.range.partition());
    }
    int maxItems = request.maxItems() <= 0 ? ITEMS_DEFAULT : request.maxItems();
    try {
      return partition.readChanges(
          new ChangeTask(
              source.slice,
              request.start(),
              request.allVersions(),
              isInOrderOfTime(container, source.range),
              maxItems,
              limits.pageBytes(),
              budget));
    } catch (QueryRefused e) {
      draw.used(source.range, budget.takeInVain());
      throw e;
    } catch (HistoryTrimmed e) {
      draw.used(source.range, budget.takeInVain());
      throw new Refused(new Refusal.HistoryTrimmed());
    } catch (PositionAhead e) {
      throw new Refused(
          new Refusal.BadRequest(
              "The continuation is ahead of the range: it has not had that change, as after the"
                  + " data was restored from a backup. Start the feed from the beginning or from"
                  + " now."));
    } catch (PartitionMoved e) {
      partitions.forget(source.range, partition);
      throw new MapIsStale(source.range.partition());
    }
  }

  /** Where ranges were only split, every ancestor had all keys of the range. */
  private static boolean isInOrderOfTime(ContainerEntry container, MappedRange range) {
    for (long parent : range.parents()) {
      GoneRange gone = container.map().goneById(Long.toString(parent));
      if (gone != null && !gone.epks().intersect(range.epks()).equals(range.epks())) {
        return false;
      }
    }
    return true;
  }
}
