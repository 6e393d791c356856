package io.orrery.routing;

import io.orrery.operation.EpkRange;
import io.orrery.partition.QueryChunk;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import io.orrery.query.GroupTable;
import io.orrery.query.plan.PartialForm;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Gathers groups page by page, so that no number of items is too large to be counted. Where a
 * page's time is over, clients that merge get the groups so far as rows; the groups of others go
 * into the continuation while they are small, and are gathered in one page when they are not.
 */
final class GroupGathering {
  /** Several ranges at once, and each that was begun has its place in the continuation. */
  private static final int LANES = Math.min(QueryRun.askedMax(), 8);

  private static final int STATE_BYTES_MAX = 1_000;
  private static final int CHUNK_ROWS = 10_000;
  private static final int CHUNK_BYTES = 256 << 10;

  /** With a chunk of each lane on top it is still a page. */
  private static final int PARTIAL_BYTES_MAX = 1 << 20;

  private final QueryRun run;
  private final CompiledQuery query;
  private final GatheredGroups groups;
  private final boolean partial;
  private final boolean resumed;

  /** In order of their keys, those that were begun first; guarded by this, as is all below. */
  private final Deque<Part> left = new ArrayDeque<>();

  private boolean gotOn;

  /** A shard, and how far its items were grouped. */
  private record Part(Shard shard, @Nullable RowPosition after) {}

  GroupGathering(
      QueryRun run,
      CompiledQuery query,
      QueryCoverage coverage,
      GatheredGroups groups,
      QueryToken.@Nullable Grouped token) {
    this.run = run;
    this.query = query;
    this.groups = groups;
    this.partial = PartialForm.isOf(query.query());
    this.resumed = token != null;
    var map = run.container.map();
    if (token == null) {
      coverage.shards(map).forEach(shard -> left.add(new Part(shard, null)));
      return;
    }
    for (QueryToken.Rest rest : token.rest()) {
      RowPosition after =
          rest.counter() == QueryToken.Rest.UNTOUCHED
              ? null
              : new RowPosition(List.of(), rest.counter(), RowPosition.ALL);
      coverage.shards(map, rest.epks()).forEach(shard -> left.add(new Part(shard, after)));
    }
    token.groups().forEach(group -> groups.absorb(GroupTable.Group.of(group)));
  }

  /** Whether groups of the query can be gathered so. */
  static boolean serves(CompiledQuery query) {
    return query.shape() == CompiledQuery.Shape.GROUPED
        && query.feed() == null
        && query.readsItems();
  }

  /**
   * Reads on; null when everything was read, else where to go on. Rows of clients that merge go to
   * the page then.
   */
  QueryToken.@Nullable Grouped run(QueryGathering page) {
    while (true) {
      read();
      if (left.isEmpty()) {
        return null;
      }
      if (partial) {
        giveParts(page);
        return new QueryToken.Grouped(List.of(), rest());
      }
      List<Value> state = groups.small(STATE_BYTES_MAX);
      if (state != null) {
        return new QueryToken.Grouped(state, rest());
      }
      if (!run.prolong()) {
        throw QueryRefused.outOfTime();
      }
    }
  }

  /** Whether the rows of pages before are parts too: the last ones cannot be made again alone. */
  boolean isLastPart() {
    return partial && resumed;
  }

  /** Gives the groups so far as rows, however many there are. */
  void giveParts(QueryGathering page) {
    groups.each((row, keys) -> page.addMore(Json.write(row)));
  }

  private void read() {
    // All are needed: where one is throttled, none is read.
    left.forEach(part -> run.admit(part.shard));
    int lanes = Math.min(LANES, left.size());
    if (lanes <= 1) {
      drain();
      return;
    }
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < lanes; i++) {
      started.add(run.start(this::drain));
    }
    QueryRun.joinAll(started);
  }

  private boolean drain() {
    for (Part part = next(); part != null; part = next()) {
      var stretch = new QueryRun.Stretch(Want.GROUPS, part.after, CHUNK_ROWS, CHUNK_BYTES);
      take(part, run.ask(part.shard, query, stretch));
    }
    return true;
  }

  /** Every page gets on, however late it begins. */
  private synchronized @Nullable Part next() {
    boolean full = run.isOver() || (partial && groups.sizeBytes() > PARTIAL_BYTES_MAX);
    return full && gotOn ? null : left.pollFirst();
  }

  private synchronized void take(Part part, QueryChunk chunk) {
    run.used(part.shard, chunk);
    GroupTable found = chunk.groups();
    if (found != null) {
      groups.merge(found);
    }
    if (chunk.next() != null) {
      left.addFirst(new Part(part.shard, chunk.next()));
    }
    gotOn = true;
  }

  /** What was not begun is one stretch, however many ranges it has. */
  private List<QueryToken.Rest> rest() {
    List<QueryToken.Rest> rest = new ArrayList<>();
    List<Part> parts =
        left.stream().sorted(Comparator.comparing(part -> part.shard.epks().min())).toList();
    for (Part part : parts) {
      EpkRange epks = part.shard.epks();
      RowPosition after = part.after;
      if (after != null) {
        rest.add(new QueryToken.Rest(epks, after.counter()));
      } else if (!rest.isEmpty() && rest.getLast().counter() == QueryToken.Rest.UNTOUCHED) {
        EpkRange wider = new EpkRange(rest.removeLast().epks().min(), epks.max());
        rest.add(new QueryToken.Rest(wider, QueryToken.Rest.UNTOUCHED));
      } else {
        rest.add(new QueryToken.Rest(epks, QueryToken.Rest.UNTOUCHED));
      }
    }
    return rest;
  }
}
