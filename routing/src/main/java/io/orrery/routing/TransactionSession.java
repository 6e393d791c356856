package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.SqlQuery;
import io.orrery.partition.ItemTask;
import io.orrery.partition.PartitionAnswer;
import io.orrery.partition.PartitionMoved;
import io.orrery.partition.Sizes;
import io.orrery.partition.Transaction;
import io.orrery.partition.TransactionStale;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.value.MalformedBody;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What user code can do in its transaction; one attempt of it. Refusals are outcomes and the code
 * may go on; what is thrown ends the attempt, even if the code does not let it through.
 */
final class TransactionSession {
  private final ContainerEntry container;
  private final Transaction transaction;
  private final ItemTasks tasks;
  private final ItemQueries queries;
  private final BooleanSupplier cancelled;
  private RequestCharge charge = RequestCharge.NONE;
  private @Nullable RuntimeException ended;

  TransactionSession(
      ContainerEntry container,
      Transaction transaction,
      ItemTasks tasks,
      ItemQueries queries,
      BooleanSupplier cancelled) {
    this.container = container;
    this.transaction = transaction;
    this.tasks = tasks;
    this.queries = queries;
    this.cancelled = cancelled;
    transaction.cancelledBy(cancelled);
  }

  ContainerEntry container() {
    return container;
  }

  /** Where all its operations take place. */
  ItemScope scope() {
    return new ItemScope(containerRef(), transaction.key().key());
  }

  private ContainerRef containerRef() {
    return ContainerRef.of(container.database().id(), container.id());
  }

  /** What the partition may hold. */
  String quota() {
    return transaction.limits().quota();
  }

  /** What it holds, in the words of the quota. */
  String usage() {
    Sizes sizes = transaction.sizes();
    long kilobytes = sizes.bytes() >> 10;
    return ("documentSize=0;documentsSize=" + kilobytes + ";documentsCount=" + sizes.items())
        + (";collectionSize=" + kilobytes + ";");
  }

  /** What all calls so far have cost. */
  RequestCharge charge() {
    return charge;
  }

  /** Adds the price of work that is not done here. */
  void charge(RequestCharge more) {
    charge = charge.plus(more);
  }

  /** Whether there is room for another write; code that writes all the same may be refused. */
  boolean accepts() {
    return transaction.accepts();
  }

  /** Reads or writes an item of the logical partition: the operation's scope is {@link #scope}. */
  Outcome execute(Operation.ItemOperation operation) {
    return guarded(
        () -> {
          ItemTask task = tasks.of(operation, container);
          if (!task.key().equals(transaction.key())) {
            return new Refusal.PartitionKeyMismatch(ItemTasks.KEY_DIFFERS);
          }
          try {
            PartitionAnswer answer = transaction.execute(task);
            charge(answer.charge());
            return answer.outcome();
          } finally {
            charge(transaction.takeConditionCharge());
          }
        });
  }

  /** A page of rows of a query over the logical partition, own writes included. */
  Outcome query(SqlQuery query, PageRequest page) {
    return guarded(
        () -> {
          var request =
              new Operation.QueryItems(
                  containerRef(),
                  query,
                  new FeedScope.OfKey(transaction.key().key()),
                  page,
                  QueryOptions.ANYWHERE);
          Answer answer = queries.within(transaction, request, container, cancelled);
          charge(answer.charge());
          return answer.outcome();
        });
  }

  private Outcome guarded(Supplier<Outcome> work) {
    if (ended != null) {
      throw ended;
    }
    try {
      return work.get();
    } catch (Refused e) {
      return e.refusal();
    } catch (MalformedBody e) {
      return new Refusal.BadRequest(String.valueOf(e.getMessage()));
    } catch (QueryRefused e) {
      return QueryRefusals.of(e);
    } catch (TransactionStale | PartitionMoved e) {
      ended = e;
      throw e;
    }
  }

  /** Runs the code and gives its outcome, unless the attempt has ended before. */
  Outcome run(Transactions.Code code) {
    Outcome outcome;
    try {
      outcome = code.run(this);
    } catch (RuntimeException e) {
      throw ended == null ? e : ended;
    }
    if (ended != null) {
      throw ended;
    }
    return outcome;
  }
}
