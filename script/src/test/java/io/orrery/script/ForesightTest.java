package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.script.channel.Arguments;
import io.orrery.script.channel.Message;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForesightTest {
  private static final List<Value> ITEMS =
      IntStream.range(0, 100).<Value>mapToObj(i -> new Value.Text("item " + i)).toList();

  private final List<Integer> sent = new ArrayList<>();
  private int calledAlone;
  private int failsFrom = Integer.MAX_VALUE;

  /** The process answers so many calls at once. */
  private int answersAtOnce = Integer.MAX_VALUE;

  /** How long the names of functions make their results. */
  private String padding = "";

  /** The process: a function answers with its name and how many arguments it has. */
  private Message.Results answer(List<Message.FunctionCall> calls) {
    sent.add(calls.size());
    List<Value> values = new ArrayList<>();
    for (Message.FunctionCall call : calls) {
      if (values.size() == failsFrom) {
        return new Message.Results(
            values, new ScriptRefused(ScriptRefused.Reason.FAILED, call.name()));
      }
      values.add(Value.of(call.name() + call.arguments().size() + padding));
      if (values.size() == answersAtOnce) {
        break;
      }
    }
    return new Message.Results(values, null);
  }

  /** Counts what is drawn. */
  private static final class Counted implements CallBudget {
    private long taken;
    private long most = Long.MAX_VALUE;
    private boolean over;

    @Override
    public void look() {
      if (over) {
        throw new IllegalStateException("over");
      }
    }

    @Override
    public boolean tryTake(long bytes) {
      if (taken + bytes > most) {
        return false;
      }
      taken += bytes;
      return true;
    }

    @Override
    public void giveBack(long bytes) {
      taken -= bytes;
    }
  }

  private final Counted budget = new Counted();
  private Foresight foresight = foreseen(item -> Value.NULL);

  private Foresight foreseen(Function<Value, Value> query) {
    return new Foresight(
        this::answer, budget, ITEMS, item -> assertNotNull(query.apply(item)), ITEMS.size());
  }

  private Value call(String name, Value... arguments) {
    var call = new Message.FunctionCall(name, Arguments.of(List.of(arguments)));
    @Nullable Value foreseen = foresight.next(call, List.of(arguments));
    if (foreseen == null) {
      calledAlone++;
      return answer(List.of(call)).values().getFirst();
    }
    return foreseen;
  }

  private List<Value> evaluated(Function<Value, Value> query) {
    List<Value> rows = new ArrayList<>();
    for (Value item : ITEMS) {
      foresight.begin(item);
      rows.add(query.apply(item));
    }
    return rows;
  }

  private void look(Function<Value, Value> query) {
    foresight = foreseen(query);
    foresight.begin(ITEMS.getFirst());
  }

  @Test
  void callsOfManyItemsTravelTogether() {
    Function<Value, Value> query = item -> call("f", item);
    look(query);
    assertEquals(List.of(100), sent);
    assertEquals(Value.of("f11"), evaluated(query).getFirst());
    assertEquals(0, calledAlone);
  }

  @Test
  void callThatDependsOnAnotherTakesAnotherRound() {
    Function<Value, Value> query = item -> call("g", call("f", item));
    look(query);
    assertEquals(List.of(100, 100), sent);
    assertEquals(Value.of("g8"), evaluated(query).getFirst());
    assertEquals(0, calledAlone);
  }

  @Test
  void callThatComesOnlyBehindAFilterTakesAnotherRound() {
    Function<Value, Value> query =
        item -> call("f", item).equals(Value.of("f12")) ? call("g", item) : Value.NULL;
    look(query);
    assertEquals(List.of(100, 90), sent);
    assertEquals(Value.of("g12"), evaluated(query).getLast());
    assertEquals(0, calledAlone);
  }

  @Test
  void callsThatDifferInEarnestAreMadeAlone() {
    int[] turn = {0};
    Function<Value, Value> query = item -> call("f", Value.of(turn[0]++));
    look(query);
    assertEquals(Value.of("f9"), evaluated(query).getFirst());
    assertEquals(100, calledAlone);
  }

  @Test
  void refusalCountsOnlyWhereTheQueryComesToIt() {
    failsFrom = 50;
    Function<Value, Value> query = item -> call("f", item);
    look(query);
    foresight.begin(ITEMS.get(49));
    assertEquals(Value.of("f12"), call("f", ITEMS.get(49)));
    foresight.begin(ITEMS.get(50));
    assertThrows(ScriptRefused.class, () -> call("f", ITEMS.get(50)));
    failsFrom = Integer.MAX_VALUE;
    foresight.begin(ITEMS.get(51));
    assertEquals(Value.of("f12"), call("f", ITEMS.get(51)));
    assertEquals(1, calledAlone);
  }

  @Test
  void itemWithVeryManyCallsIsNotNotedForEver() {
    Function<Value, Value> query =
        item -> {
          for (int i = 0; i < 1_000; i++) {
            call("f", item, Value.of(i));
          }
          return Value.NULL;
        };
    look(query);
    assertTrue(sent.stream().mapToInt(Integer::intValue).sum() <= 100 * 256, sent::toString);
    assertEquals(Value.NULL, evaluated(query).getFirst());
    // Fewer than that are foreseen where they take too much memory.
    assertTrue(calledAlone >= 100 * (1_000 - 256), calledAlone + " calls");
  }

  @Test
  void itemsAreLookedAtAsEvaluationComesToThem() {
    Function<Value, Value> query = item -> call("f", item);
    foresight =
        new Foresight(this::answer, budget, ITEMS, item -> assertNotNull(query.apply(item)), 16);
    assertEquals(List.of(), sent);
    foresight.begin(ITEMS.getFirst());
    assertEquals(List.of(16), sent);
    evaluated(query);
    assertEquals(List.of(16, 32, 52), sent);
    assertEquals(0, calledAlone);
  }

  @Test
  void slowFunctionsAreForeseenOneAnswerAtATime() {
    answersAtOnce = 1;
    Function<Value, Value> query = item -> call("f", item);
    foresight =
        new Foresight(this::answer, budget, ITEMS, item -> assertNotNull(query.apply(item)), 16);
    assertEquals(Value.of("f11"), evaluated(query).getFirst());
    assertTrue(foresight.batch() <= 2, foresight.batch() + " items");
  }

  @Test
  void timeThatIsOverEndsTheQueryAndNotOnlyTheLook() {
    budget.over = true;
    assertThrows(IllegalStateException.class, () -> look(item -> call("f", item)));
    assertEquals(List.of(), sent);
  }

  @Test
  void whatIsHeldIsDrawnBoundedAndReturned() {
    padding = "x".repeat(200 << 10);
    Function<Value, Value> query = item -> call("f", item);
    look(query);
    assertTrue(budget.taken > 3L << 20 && budget.taken <= 4L << 20, budget.taken + " bytes");
    assertEquals(100, evaluated(query).size());
    foresight.close();
    assertEquals(0, budget.taken);
  }

  @Test
  void queryWithoutMemoryForForesightCallsOneByOne() {
    budget.most = 0;
    Function<Value, Value> query = item -> call("f", item);
    look(query);
    assertEquals(List.of(), sent);
    evaluated(query);
    assertEquals(100, calledAlone);
  }

  @Test
  void processThatOneOfManyCallsEndedIsNoFaultOfTheFirst() {
    foresight =
        new Foresight(
            calls -> {
              throw new ScriptRefused(ScriptRefused.Reason.TOO_LARGE, "ended");
            },
            budget,
            ITEMS,
            item -> assertNotNull(call("f", item)),
            16);
    assertThrows(ProcessEnded.class, () -> foresight.begin(ITEMS.getFirst()));
  }
}
