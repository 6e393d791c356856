package io.orrery.script.child;

import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.script.channel.Arguments;
import io.orrery.script.channel.Message;
import io.orrery.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the query that called last. Their context is kept until another query calls or a
 * script runs: what functions leave in their globals never meets another query, and takes none of
 * the memory of others.
 */
final class CalledFunctions implements AutoCloseable {
  /** The server looks at the time of a query between answers. */
  private static final long ANSWER_NANOS = 100_000_000;

  /** The results of an answer fit into a frame, and into what the server foresees. */
  private static final int ANSWER_CHARS = 1 << 20;

  private final Sandbox sandbox;
  private final Compiled compiled;
  private final int resultCharsMax;
  private final Map<String, ScriptText> texts = new HashMap<>();
  private long owner;
  private @Nullable FunctionRoom room;

  CalledFunctions(Sandbox sandbox, Compiled compiled, int resultCharsMax) {
    this.sandbox = sandbox;
    this.compiled = compiled;
    this.resultCharsMax = resultCharsMax;
  }

  /** Makes the calls one after the other, until one is refused, or time or room are used. */
  Message.Results answer(Message.Calls calls, Watch watch) throws IOException {
    if (calls.functions() != owner) {
      close();
      owner = calls.functions();
    }
    calls.texts().forEach(text -> texts.put(text.id(), text));
    List<Value> values = new ArrayList<>(calls.calls().size());
    FunctionRoom present = room();
    try {
      watch.add(present.realm());
    } catch (ScriptRefused stopped) {
      room = null; // closed by the watch
      return new Message.Results(values, stopped);
    }
    present.realm().context().enter();
    try {
      long began = System.nanoTime();
      long chars = 0;
      for (Message.FunctionCall call : calls.calls()) {
        var given = present.call(call.name(), Arguments.values(call.arguments()), texts, watch);
        values.add(given.value());
        chars += given.chars();
        if (System.nanoTime() - began > ANSWER_NANOS || chars > ANSWER_CHARS) {
          break;
        }
      }
      return new Message.Results(values, null);
    } catch (ScriptRefused e) {
      return new Message.Results(values, e);
    } finally {
      leave(present);
      if (!watch.remove(present.realm())) {
        room = null; // closed by who stopped it
      }
    }
  }

  private FunctionRoom room() {
    FunctionRoom present = room;
    if (present == null) {
      present = new FunctionRoom(sandbox.open(), sandbox.objects(), compiled, resultCharsMax);
      room = present;
    }
    return present;
  }

  private static void leave(FunctionRoom room) {
    try {
      room.realm().context().leave();
    } catch (IllegalStateException e) {
      // Closed by the watchdog in the meantime.
    }
  }

  /** Forgets the query that called last. */
  @Override
  public void close() {
    FunctionRoom present = room;
    room = null;
    owner = 0;
    texts.clear();
    if (present != null) {
      present.realm().close();
    }
  }
}
