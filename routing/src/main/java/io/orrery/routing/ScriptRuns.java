package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Etag;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.script.ScriptAnswer;
import io.orrery.script.ScriptCall;
import io.orrery.script.ScriptHost;
import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.script.WorkTime;
import io.orrery.storage.StorageFault;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs stored procedures and triggers, each execution as one transaction. */
final class ScriptRuns {
  /** The price of running a script at all; what it does and how long it works has its own. */
  private static final RequestCharge BASE = RequestCharge.units(1);

  private final Catalog catalog;
  private final Transactions transactions;
  private final ItemTasks tasks;
  private final ScriptHost host;
  private final Duration patience;

  /**
   * @param patience for how long a script waits while the storage is away, or is begun again: it
   *     may not run as long itself
   */
  ScriptRuns(
      Catalog catalog,
      Transactions transactions,
      ItemTasks tasks,
      ScriptHost host,
      Duration patience) {
    this.catalog = catalog;
    this.transactions = transactions;
    this.tasks = tasks;
    this.host = host;
    this.patience = patience;
  }

  /**
   * Runs a stored procedure; blocks.
   *
   * @param mark null where nobody else can have been asked for it
   * @param gone whether the client has disconnected
   */
  Answer execute(Operation.ExecuteScript request, @Nullable Mark mark, BooleanSupplier gone) {
    CatalogImage image = catalog.image();
    ContainerEntry container = ItemRouter.resolve(image, request.script().container());
    ScriptEntry entry = Scripts.resolve(image, request.script());
    String arguments = arguments(request.arguments());
    return inTransaction(
        container,
        request.key(),
        mark,
        gone,
        (session, time) -> {
          session.charge(BASE);
          ScriptAnswer answer =
              run(
                  entry,
                  ScriptCall.Kind.STORED_PROCEDURE,
                  ScriptCall.Operation.EXECUTE,
                  arguments,
                  null,
                  session,
                  time);
          return new Outcome.ScriptDone(
              Body.json(Objects.requireNonNullElse(answer.body(), "\"\"")), answer.log());
        });
  }

  private static String arguments(Body given) {
    if (!(Json.parse(given.bytes().array()) instanceof Value.Arr array)) {
      throw new Refused(
          new Refusal.BadRequest("The arguments of a stored procedure are a JSON array."));
    }
    return new String(Json.write(array), StandardCharsets.UTF_8);
  }

  /**
   * An item operation with its triggers; blocks.
   *
   * @param mark null where nobody else can have been asked for it
   * @param gone whether the client has disconnected
   */
  Answer execute(Operation.ExecuteWithTriggers request, @Nullable Mark mark, BooleanSupplier gone) {
    Operation.ItemOperation operation = request.operation();
    CatalogImage image = catalog.image();
    ContainerEntry container = ItemRouter.resolve(image, operation.scope().container());
    PartitionKey given = operation.scope().key();
    var triggers = Triggers.of(request, container, image);
    return inTransaction(
        container,
        given == null ? tasks.of(operation, container).key().key() : given,
        mark,
        gone,
        (session, time) -> {
          Operation.ItemOperation changed = operation;
          for (ScriptEntry before : triggers.before()) {
            session.charge(BASE);
            ScriptAnswer answer =
                run(
                    before,
                    ScriptCall.Kind.PRE_TRIGGER,
                    triggers.operation(),
                    Triggers.body(changed),
                    null,
                    session,
                    time);
            changed = Triggers.with(changed, answer.body());
          }
          Outcome outcome = session.execute(changed);
          if (outcome instanceof Refusal) {
            return outcome;
          }
          StoredItem item = ScriptDocuments.itemOf(outcome);
          String answered = item == null ? null : ScriptDocuments.text(item, container);
          boolean rewritten = false;
          for (ScriptEntry after : triggers.after()) {
            session.charge(BASE);
            ScriptAnswer answer =
                run(
                    after,
                    ScriptCall.Kind.POST_TRIGGER,
                    triggers.operation(),
                    Triggers.body(changed),
                    answered,
                    session,
                    time);
            rewritten |= answer.body() != null;
            answered = answer.body() == null ? answered : answer.body();
          }
          // What deletes is answered without a body.
          return rewritten && answered != null && item != null
              ? new Outcome.ItemRewritten(
                  item, outcome instanceof Outcome.ItemCreated, Body.json(answered))
              : outcome;
        });
  }

  private ScriptAnswer run(
      ScriptEntry entry,
      ScriptCall.Kind kind,
      ScriptCall.Operation operation,
      @Nullable String request,
      @Nullable String response,
      TransactionSession session,
      ScriptTime time) {
    ContainerLinks links = ContainerLinks.of(session.container());
    var call = new ScriptCall(kind, links.self(), links.alt(), operation, request, response);
    var documents = new ScriptDocuments(session, host::functionNanos);
    WorkTime worked = host.workTime();
    try {
      return host.run(new ScriptText(entry.id(), entry.definition().source()), call, documents);
    } finally {
      time.add(worked.nanos() + documents.refusedNanos());
      session.charge(time.take());
    }
  }

  /** What one attempt does. */
  private interface Work {
    /**
     * @param time of all scripts of the request: what is free of it is free once
     */
    Outcome run(TransactionSession session, ScriptTime time);
  }

  /**
   * @param container the one whose scripts run: another that takes its name meanwhile is not meant
   */
  private Answer inTransaction(
      ContainerEntry container,
      @Nullable PartitionKey key,
      @Nullable Mark mark,
      BooleanSupplier gone,
      Work work) {
    long deadline = System.nanoTime() + patience.toNanos();
    // A query has no more time than the script that waits for it.
    BooleanSupplier ended = () -> gone.getAsBoolean() || host.isOverdue();
    while (true) {
      try {
        return host.inTurn(
            Duration.ofNanos(Math.max(0, deadline - System.nanoTime())),
            gone,
            () ->
                transactions.run(
                    container.ref(null), key, mark, new Code(work, ended, new ScriptTime())));
      } catch (ScriptRefused e) {
        throw new Refused(ScriptErrors.refusal(e));
      } catch (StorageFault e) {
        // It has done nothing: whatever it wrote is committed with its end, or not at all.
        if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(Forwarding.LOOK_EVERY.toNanos());
      }
    }
  }

  /** User code for the transaction: what a script fails with undoes it. */
  private record Code(Work work, BooleanSupplier ended, ScriptTime time)
      implements Transactions.Code {
    @Override
    public boolean isCancelled() {
      return ended.getAsBoolean();
    }

    @Override
    public Outcome run(TransactionSession session) {
      try {
        return work.run(session, time);
      } catch (ScriptRefused e) {
        return ScriptErrors.refusal(e);
      }
    }

    @Override
    public Outcome committed(Outcome outcome, Map<Etag, StoredItem> written) {
      StoredItem item = ScriptDocuments.itemOf(outcome);
      StoredItem now = item == null ? null : written.get(item.etag());
      if (now == null) {
        return outcome;
      }
      return switch (outcome) {
        case Outcome.ItemCreated _ -> new Outcome.ItemCreated(now);
        case Outcome.ItemReplaced _ -> new Outcome.ItemReplaced(now);
        case Outcome.ItemRewritten(var before, boolean created, Body body) ->
            new Outcome.ItemRewritten(now, created, body);
        default -> outcome;
      };
    }
  }
}
