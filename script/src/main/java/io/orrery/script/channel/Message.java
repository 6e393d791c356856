package io.orrery.script.channel;

import io.orrery.operation.Bytes;
import io.orrery.script.Documents;
import io.orrery.script.ScriptAnswer;
import io.orrery.script.ScriptCall;
import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message between the server and a process that runs scripts. */
public sealed interface Message {

  /** To the server: the process has loaded its engine and takes work. */
  record Ready() implements Message {}

  /**
   * To the process: run a stored procedure or trigger; answered by {@link Done} or {@link Refused},
   * after any number of {@link Ask}.
   *
   * @param patienceNanos how long waiting for documents is not the script's time
   */
  record Run(long patienceNanos, ScriptText script, ScriptCall call, Standing standing)
      implements Message {}

  /**
   * What a script is told of its collection when it begins.
   *
   * @param accepts whether there is room for another step
   */
  record Standing(boolean accepts, String quota, String usage) {}

  /**
   * To the server: the script wants a step done; answered by {@link Replied} or {@link Abandon}.
   */
  record Ask(Documents.Step step) implements Message {}

  /**
   * To the process: how the step ended.
   *
   * @param accepts whether there is room for another one
   */
  record Replied(Documents.Reply reply, boolean accepts) implements Message {}

  /** To the process: the step failed by a fault, and the run is to end; still answered as such. */
  record Abandon() implements Message {}

  /** To the server: the script came to its end. */
  record Done(ScriptAnswer answer) implements Message {}

  /** To the server: the script did not come to its end. */
  record Refused(ScriptRefused why) implements Message {}

  /**
   * To the process: call functions of a query, also while a script waits for the reply to a step;
   * answered by {@link Results}.
   *
   * @param functions the query they belong to, so that what they keep in globals stays its own
   * @param texts of functions that the process has not been sent in this turn
   */
  record Calls(long functions, List<ScriptText> texts, List<FunctionCall> calls)
      implements Message {}

  /**
   * One call.
   *
   * @param arguments see {@link Arguments}
   */
  record FunctionCall(String name, Bytes arguments) {}

  /**
   * To the server: what the first of the calls gave, at least one of them, unless it was refused.
   *
   * @param refused why the call behind them failed; null when it was not made yet
   */
  record Results(List<Value> values, @Nullable ScriptRefused refused) implements Message {}
}
