package io.orrery.operation;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an operation ended; refusals are outcomes too, faults are not. */
public sealed interface Outcome extends Serializable permits Outcome.Success, Refusal {

  /** The operation did what it was asked to. */
  sealed interface Success extends Outcome {}

  record ItemCreated(StoredItem item) implements Success {}

  record ItemReplaced(StoredItem item) implements Success {}

  record ItemRead(StoredItem item) implements Success {}

  record ItemDeleted() implements Success {}

  record LogicalPartitionDeleted() implements Success {}

  /** How each of several operations ended, in their order. */
  record StepsDone(List<Step> steps) implements Success {
    public StepsDone {
      steps = List.copyOf(steps);
    }

    /** Of steps that only happen together: only the last of those that were tried failed itself. */
    public static StepsDone failed(List<Step> tried, int size) {
      var steps = new ArrayList<Step>(size);
      for (int i = 0; i < size; i++) {
        RequestCharge charge = i < tried.size() ? tried.get(i).charge() : RequestCharge.NONE;
        steps.add(
            i == tried.size() - 1
                ? tried.get(i)
                : new Step(new Refusal.FailedDependency(), charge));
      }
      return new StepsDone(steps);
    }

    public boolean isWhole() {
      return steps.stream().noneMatch(step -> step.outcome() instanceof Refusal);
    }
  }

  /**
   * One of several operations.
   *
   * @param position where it happened, if it was a transaction of its own and came to a range
   */
  record Step(Outcome outcome, RequestCharge charge, Answer.@Nullable Position position)
      implements Serializable {
    public Step(Outcome outcome, RequestCharge charge) {
      this(outcome, charge, null);
    }
  }

  /**
   * A stored procedure ran to its end.
   *
   * @param body what it answers
   * @param log what it wrote to its console
   */
  record ScriptDone(Body body, String log) implements Success {}

  /** An item was created or replaced, and code behind that has put another body in the answer. */
  record ItemRewritten(StoredItem item, boolean created, Body body) implements Success {}

  /** The client's version is the present one. */
  record NotModified(Etag etag) implements Success {}

  record ItemPage(List<StoredItem> items, @Nullable String continuation) implements Success {
    public ItemPage {
      items = List.copyOf(items);
    }
  }

  /**
   * Changes in the order of their transactions, none of which is cut.
   *
   * @param lsn the transaction to go on behind
   * @param more whether there are changes behind it already
   */
  record ChangePage(List<Change> changes, long lsn, boolean more) implements Success {
    public ChangePage {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Rows of a query over items, each a JSON text.
   *
   * @param indexMetrics used and missing indexes in the shape that was asked for; null when it was
   *     not
   */
  record QueryPage(
      List<Bytes> rows,
      @Nullable String continuation,
      QueryMetrics metrics,
      @Nullable Body indexMetrics)
      implements Success {
    public QueryPage {
      rows = List.copyOf(rows);
    }
  }

  /** The plan of a query as clients read it. */
  record QueryPlanned(Body plan) implements Success {}

  record ResourceCreated(Resource resource) implements Success {}

  record ResourceRead(Resource resource) implements Success {}

  /**
   * A container, with what its reader may want to know.
   *
   * @param indexedPercent how far its items follow the present indexing policy
   */
  record ContainerRead(Resource resource, int indexedPercent) implements Success {}

  record ResourceReplaced(Resource resource) implements Success {}

  record ResourceDeleted() implements Success {}

  /**
   * An offer, with what its reader must know.
   *
   * @param minimumUnitsPerSecond the least throughput that a replace may ask for
   * @param replacePending whether the last change is still being carried out
   */
  record OfferRead(Resource resource, int minimumUnitsPerSecond, boolean replacePending)
      implements Success {}

  record ResourcePage(List<Resource> resources, @Nullable String continuation) implements Success {
    public ResourcePage {
      resources = List.copyOf(resources);
    }
  }

  /** Rows of a query over resources: whole resources, or what the query made of them. */
  record RowPage(List<Body> rows, @Nullable String continuation) implements Success {
    public RowPage {
      rows = List.copyOf(rows);
    }
  }

  record Ranges(List<PartitionKeyRange> ranges, Etag etag) implements Success {
    public Ranges {
      ranges = List.copyOf(ranges);
    }
  }

  /**
   * The answer to a management operation.
   *
   * @param begun whether the report is of something that goes on after the answer
   */
  record Managed(Body report, boolean begun) implements Success {}
}
