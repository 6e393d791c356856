package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation.ReadItemFeed;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Refusal;
import io.orrery.partition.FeedPage;
import io.orrery.partition.FeedSlice;
import io.orrery.partition.FeedTask;
import io.orrery.partition.LogicalKey;
import io.orrery.partition.Partition;
import io.orrery.partition.PartitionMoved;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.MappedRange;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the items of a container page by page: range after range, each in order of insertion. */
final class ItemFeed {
  private final Catalog catalog;
  private final Partitions partitions;
  private final Budgets budgets;
  private final ItemTasks tasks;
  private final Continuations continuations;
  private final Limits limits;

  ItemFeed(
      Catalog catalog,
      Partitions partitions,
      Budgets budgets,
      ItemTasks tasks,
      Continuations continuations,
      Limits limits) {
    this.catalog = catalog;
    this.partitions = partitions;
    this.budgets = budgets;
    this.tasks = tasks;
    this.continuations = continuations;
    this.limits = limits;
  }

  /**
   * What a feed covers.
   *
   * @param key set when it is a single logical partition
   * @param prefix the first components of the keys; empty for all keys
   * @param name what a continuation is bound to beside the container
   */
  private record Coverage(
      EpkRange epks, @Nullable LogicalKey key, PartitionKey prefix, String name) {

    static Coverage of(EpkRange epks) {
      return new Coverage(epks, null, PartitionKey.EMPTY, "");
    }

    FeedSlice sliceOf(MappedRange range, EpkRange segment) {
      if (key != null) {
        return new FeedSlice.OneKey(key);
      }
      EpkRange part = segment.intersect(range.epks());
      // A whole partition need not look at the key of each item.
      return new FeedSlice.Range(part.equals(range.epks()) ? EpkRange.ALL : part, prefix);
    }
  }

  /**
   * Reads a page, or tells why it is refused; blocks.
   *
   * @param cancelled says when the page is no longer wanted
   */
  Answer read(ReadItemFeed request, BooleanSupplier cancelled) {
    var draw = new PageDraw(budgets, FeedPage.CHARGE_MIN);
    return draw.settled(
        () -> MapIsStale.again(partitions, () -> page(request, catalog.image(), draw, cancelled)));
  }

  private Answer page(
      ReadItemFeed request, CatalogImage image, PageDraw draw, BooleanSupplier cancelled) {
    ContainerEntry container = ItemRouter.resolve(image, request.container());
    Coverage coverage = coverage(request.scope(), container);
    draw.begin(image, container, coverage.key == null ? null : coverage.key.key());
    String feed = "items " + container.rid() + ' ' + coverage.name;
    String token = request.page().continuation();
    FeedPosition at =
        token == null
            ? startOf(coverage, container, coverage.epks.min())
            : within(coverage, container, FeedPosition.parse(continuations.open(feed, token)));
    try (QueryBudget budget = FeedGathering.budget(cancelled)) {
      var gathering =
          new FeedGathering(
              request.page().maxItems(), limits.pageBytes(), budget, System::nanoTime);
      while (at != null && gathering.wantsMore()) {
        at = step(container, coverage, at, gathering, draw);
      }
      return gathering.answer(container, at == null ? null : continuations.seal(feed, at.text()));
    }
  }

  private Coverage coverage(FeedScope scope, ContainerEntry container) {
    PartitionKeyDefinition definition = container.key();
    return switch (scope) {
      case FeedScope.Whole() -> Coverage.of(EpkRange.ALL);
      case FeedScope.OfKey(PartitionKey given) -> {
        PartitionKey key = tasks.fitted(given, definition);
        if (key.components().isEmpty()) {
          yield Coverage.of(EpkRange.ALL);
        }
        boolean whole = key.components().size() == definition.paths().size();
        yield new Coverage(
            EffectivePartitionKey.rangeOf(key, definition),
            whole ? LogicalKey.of(key, definition) : null,
            key,
            key.toString());
      }
      case FeedScope.OfRange(String id, EpkRange part) -> {
        EpkRange epks = container.map().epksOf(id);
        if (epks == null) {
          throw new Refused(new Refusal.NotFound());
        }
        // Not bound to the range: its children go on with the continuations it gave.
        yield Coverage.of(part == null ? epks : epks.intersect(part));
      }
    };
  }

  /** The start of what is left from a key on; null when nothing is. */
  private static @Nullable FeedPosition startOf(
      Coverage coverage, ContainerEntry container, EffectivePartitionKey from) {
    if (from.compareTo(coverage.epks.max()) >= 0) {
      return null;
    }
    EpkRange rest = new EpkRange(from, coverage.epks.max());
    return new FeedPosition(rest.intersect(container.map().find(from).epks()), 0);
  }

  /** A position that another coverage of the same container gave, as it concerns this one. */
  private static @Nullable FeedPosition within(
      Coverage coverage, ContainerEntry container, FeedPosition given) {
    EpkRange segment = given.segment().intersect(coverage.epks);
    if (!segment.isEmpty()) {
      return new FeedPosition(segment, given.afterCounter());
    }
    boolean ahead = given.segment().max().compareTo(coverage.epks.min()) <= 0;
    return ahead ? startOf(coverage, container, coverage.epks.min()) : null;
  }

  /** Reads one stretch of the segment; gives the position behind it, null at the end. */
  private @Nullable FeedPosition step(
      ContainerEntry container,
      Coverage coverage,
      FeedPosition at,
      FeedGathering gathering,
      PageDraw draw) {
    List<MappedRange> ranges = container.map().overlapping(at.segment());
    ranges.forEach(draw::admit);
    var stretch = new FeedStretch(at.afterCounter());
    for (MappedRange range : ranges) {
      var slice = coverage.sliceOf(range, at.segment());
      FeedTask task = gathering.task(slice, at.afterCounter(), ranges.size());
      FeedPage page = read(container, range, task, draw);
      draw.used(range, page.charge());
      stretch.add(range, page);
    }
    Long stopped = gathering.take(stretch);
    return stopped != null
        ? new FeedPosition(at.segment(), stopped)
        : startOf(coverage, container, at.segment().max());
  }

  private FeedPage read(ContainerEntry container, MappedRange range, FeedTask task, PageDraw draw) {
    Partition partition = partitions.of(container, range);
    if (partition == null) {
      throw new MapIsStale(range.partition());
    }
    try {
      return partition.readFeed(task);
    } catch (QueryRefused e) {
      draw.used(range, task.budget().takeInVain());
      throw e;
    } catch (PartitionMoved e) {
      partitions.forget(range, partition);
      throw new MapIsStale(range.partition());
    }
  }
}
