package io.orrery.script;

import io.orrery.script.channel.Arguments;
import io.orrery.script.channel.Message;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The user-defined functions of one query. A call is a way to another process and back, so those of
 * several items travel together where the caller says which items come next.
 */
public final class ScriptFunctions {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final ScriptHost host;
  private final Function<String, @Nullable ScriptText> texts;
  private final CallBudget budget;

  /** Tells processes which query calls. */
  private final long number = NUMBERS.incrementAndGet();

  ScriptFunctions(
      ScriptHost host, Function<String, @Nullable ScriptText> texts, CallBudget budget) {
    this.host = host;
    this.texts = texts;
    this.budget = budget;
  }

  /**
   * Does work that calls functions often, with a process to itself; blocks.
   *
   * @throws ScriptRefused when a function fails, or there is no place
   */
  public <T> T inTurn(Callable<T> work) {
    return host.inTurn(budget::waited, work);
  }

  /**
   * What a function makes of values.
   *
   * @throws ScriptRefused when it does not exist, or fails
   */
  public Value call(String name, List<Value> arguments) {
    Turn turn = Turn.current();
    if (turn == null) {
      return inTurn(() -> call(name, arguments));
    }
    var call = new Message.FunctionCall(name, Arguments.of(arguments));
    Foresight foresight = turn.foresight(this);
    Value foreseen = foresight == null ? null : foresight.next(call, arguments);
    return foreseen == null ? called(call, turn) : foreseen;
  }

  private Value called(Message.FunctionCall call, Turn turn) {
    budget.look();
    var results = send(List.of(call), turn);
    if (results.refused() != null) {
      throw results.refused();
    }
    return results.values().getFirst();
  }

  /**
   * Names the items that are evaluated next, in their order: what they call is called ahead, many
   * calls at a time, and evaluating them finds the results here.
   *
   * @param evaluation evaluates an item for nothing but its calls
   */
  public void ahead(List<Value> items, Consumer<Value> evaluation) {
    Turn turn = Turn.current();
    if (turn != null && turn.mayForesee()) {
      Foresight before = turn.foresight(this);
      int batch = before == null ? Foresight.FIRST_BATCH : before.batch();
      turn.foresees(
          this, new Foresight(calls -> send(calls, turn), budget, items, evaluation, batch));
    }
  }

  /** From here on calls are those of the item. */
  public void begin(Value item) {
    Turn turn = Turn.current();
    Foresight foresight = turn == null ? null : turn.foresight(this);
    if (foresight != null) {
      foresight.begin(item);
    }
  }

  private Message.Results send(List<Message.FunctionCall> calls, Turn turn) {
    Map<String, ScriptText> missing = new LinkedHashMap<>();
    for (Message.FunctionCall call : calls) {
      if (turn.misses(this, call.name())) {
        missing.computeIfAbsent(call.name(), this::known);
      }
    }
    var results = turn.call(new Message.Calls(number, List.copyOf(missing.values()), calls));
    turn.sent(missing.keySet());
    return results;
  }

  private ScriptText known(String name) {
    ScriptText text = texts.apply(name);
    if (text == null) {
      throw new ScriptRefused(
          ScriptRefused.Reason.FAILED,
          "The user defined function '" + name + "' does not exist; create it in the container");
    }
    return new ScriptText(name, text.body());
  }
}
