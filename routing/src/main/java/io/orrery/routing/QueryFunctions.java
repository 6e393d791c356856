package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.ScriptKind;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.QueryBudget;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.script.CallBudget;
import io.orrery.script.ScriptFunctions;
import io.orrery.script.ScriptHost;
import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.script.WorkTime;
import io.orrery.value.Value;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The user's functions for one page of a query. A stretch of a query that calls some has a process
 * for scripts to itself.
 */
final class QueryFunctions implements Parameters.UserFunctions {
  private final ScriptHost host;
  private final @Nullable ScriptFunctions functions;
  private final ScriptTime time = new ScriptTime();

  private QueryFunctions(ScriptHost host, @Nullable ScriptFunctions functions) {
    this.host = host;
    this.functions = functions;
  }

  /**
   * What the query can call.
   *
   * @throws QueryRefused when it calls what the container does not have
   */
  static QueryFunctions of(
      CompiledQuery query,
      ContainerEntry container,
      CatalogImage image,
      ScriptHost host,
      QueryBudget budget) {
    if (query.userFunctions().isEmpty()) {
      return new QueryFunctions(host, null);
    }
    for (String name : query.userFunctions()) {
      if (find(name, container, image) == null) {
        throw QueryRefused.plain(
            "The user defined function '"
                + name
                + "' does not exist. Create it in the container, or mend the name.");
      }
    }
    return new QueryFunctions(
        host, host.functions(name -> find(name, container, image), new Drawn(budget)));
  }

  /** The budget of the query, as calls draw on it. */
  private record Drawn(QueryBudget budget) implements CallBudget {
    @Override
    public void look() {
      budget.look();
    }

    @Override
    public boolean tryTake(long bytes) {
      return budget.tryTake(bytes);
    }

    @Override
    public void giveBack(long bytes) {
      budget.giveBack(bytes);
    }

    @Override
    public void waited(long nanos) {
      budget.waited(nanos);
    }
  }

  private static @Nullable ScriptText find(
      String name, ContainerEntry container, CatalogImage image) {
    ScriptEntry entry = image.script(container, ScriptKind.USER_DEFINED_FUNCTION, name);
    return entry == null ? null : new ScriptText(entry.id(), entry.definition().source());
  }

  /** Does a stretch of the query's work that may call functions; blocks. */
  <T> T inTurn(Supplier<T> work) {
    if (functions == null) {
      return work.get();
    }
    // A script that asks measures its process itself.
    boolean measures = !host.isInTurn();
    try {
      return functions.inTurn(() -> measures ? measured(work) : work.get());
    } catch (ScriptRefused e) {
      throw refused(e);
    }
  }

  private <T> T measured(Supplier<T> work) {
    WorkTime worked = host.workTime();
    try {
      return work.get();
    } finally {
      time.add(worked.nanos());
    }
  }

  @Override
  public Value call(String name, List<Value> arguments) {
    if (functions == null) {
      throw new IllegalStateException("The query was compiled without functions");
    }
    if (!host.isInTurn()) {
      // Over groups, or without items: no partition is asked.
      return inTurn(() -> call(name, arguments));
    }
    try {
      return functions.call(name, arguments);
    } catch (ScriptRefused e) {
      throw refused(e);
    }
  }

  @Override
  public void ahead(List<Value> items, Consumer<Value> evaluation) {
    if (functions != null) {
      functions.ahead(items, evaluation);
    }
  }

  @Override
  public void begin(Value item) {
    if (functions != null) {
      functions.begin(item);
    }
  }

  /** The price of the calls since this was asked last. */
  RequestCharge takeCharge() {
    return functions == null ? RequestCharge.NONE : time.take();
  }

  private static RuntimeException refused(ScriptRefused e) {
    return ScriptErrors.refusal(e) instanceof Refusal.ScriptFailed failed
        ? QueryRefused.plain(failed.message())
        : new Refused(ScriptErrors.refusal(e));
  }
}
