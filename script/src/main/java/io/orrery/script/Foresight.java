package io.orrery.script;

import io.orrery.script.channel.Message;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls of items that are evaluated next, made together. The items are evaluated in vain first:
 * each call is noted and gives undefined. When an item is evaluated in earnest, a call that is made
 * exactly as it was noted, in the same place, has its result; from the first that is not, calls are
 * made one at a time. So a wrong guess costs time, and never changes an answer: what fails here
 * fails the query only where it comes to the same call.
 */
final class Foresight {
  /** A call may depend on what one before it gave. */
  private static final int ROUNDS = 4;

  private static final int CALLS_OF_ITEM_MAX = 256;
  private static final int SENT_CALLS_MAX = 1_000;
  private static final int SENT_BYTES_MAX = 256 << 10;

  private final Function<List<Message.FunctionCall>, Message.Results> process;
  private final IdentityHashMap<Value, OfItem> items = new IdentityHashMap<>();
  private final List<Noted> unsent = new ArrayList<>();
  private int unsentBytes;

  /** Whether items are evaluated for nothing but their calls. */
  private boolean inVain;

  private @Nullable OfItem current;
  private int place;

  /** Whether a call of the current item was given undefined because nothing is known yet. */
  private boolean guessed;

  Foresight(Function<List<Message.FunctionCall>, Message.Results> process) {
    this.process = process;
  }

  private static final class OfItem {
    private final List<Noted> calls = new ArrayList<>();
    private boolean complete;
  }

  private static final class Noted {
    private final Message.FunctionCall call;
    private @Nullable Value result;
    private @Nullable ScriptRefused refused;

    Noted(Message.FunctionCall call) {
      this.call = call;
    }
  }

  /** Evaluates the items in vain until the calls of each are known. */
  void look(List<Value> next, Consumer<Value> evaluation) {
    next.forEach(item -> items.put(item, new OfItem()));
    inVain = true;
    for (int round = 0; round < ROUNDS; round++) {
      for (Value item : next) {
        look(item, evaluation);
      }
      if (unsent.isEmpty() || !send()) {
        break;
      }
    }
    inVain = false;
    current = null;
  }

  private void look(Value item, Consumer<Value> evaluation) {
    begin(item);
    OfItem of = current;
    if (of == null || of.complete) {
      return;
    }
    try {
      evaluation.accept(item);
    } catch (ProcessEnded e) {
      throw e;
    } catch (RuntimeException e) {
      // It fails the query when the item is evaluated in earnest, if it comes to that.
    }
    of.complete = !guessed;
  }

  /** From here on calls are those of the item. */
  void begin(Value item) {
    current = items.get(item);
    place = 0;
    guessed = false;
  }

  /**
   * What a call gives; null when it is not known and has to be made.
   *
   * @throws ScriptRefused when it failed
   */
  @Nullable Value next(Message.FunctionCall call, List<Value> arguments) {
    OfItem of = current;
    if (of == null) {
      return null;
    }
    if (place < of.calls.size()) {
      Noted noted = of.calls.get(place);
      if (noted.call.equals(call)) {
        if (noted.refused != null) {
          throw noted.refused;
        }
        if (noted.result != null) {
          place++;
          return noted.result;
        }
      }
      of.calls.subList(place, of.calls.size()).clear();
    }
    if (!inVain) {
      current = null;
      return null;
    }
    return guess(call, arguments, of);
  }

  /** Notes the call, unless its arguments seem to come from a guess. */
  private Value guess(Message.FunctionCall call, List<Value> arguments, OfItem of) {
    if ((guessed && arguments.contains(Value.UNDEFINED)) || place >= CALLS_OF_ITEM_MAX) {
      guessed = true;
      throw new Unknown();
    }
    guessed = true;
    place++;
    var noted = new Noted(call);
    of.calls.add(noted);
    unsent.add(noted);
    unsentBytes += call.arguments().size();
    boolean full = unsent.size() == SENT_CALLS_MAX || unsentBytes > SENT_BYTES_MAX;
    if (full && !send()) {
      throw new Unknown();
    }
    return Value.UNDEFINED;
  }

  /** Makes the calls that were noted; false when one failed, behind which none is made. */
  private boolean send() {
    List<Noted> sent = List.copyOf(unsent);
    unsent.clear();
    unsentBytes = 0;
    int done = 0;
    while (done < sent.size()) {
      Message.Results results;
      try {
        results =
            process.apply(
                sent.subList(done, sent.size()).stream().map(noted -> noted.call).toList());
      } catch (ScriptRefused e) {
        sent.get(done).refused = e;
        return false;
      }
      for (Value value : results.values()) {
        sent.get(done++).result = value;
      }
      if (results.refused() != null) {
        sent.get(done).refused = results.refused();
        return false;
      }
    }
    return true;
  }

  /** Ends an evaluation in vain. */
  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unknown() {
      super("The next call depends on others", null, false, false);
    }
  }
}
