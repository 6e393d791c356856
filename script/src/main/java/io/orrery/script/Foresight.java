package io.orrery.script;

import io.orrery.script.channel.Message;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 *
 * <p>Items are looked at in batches, the next one when evaluation comes to it. A batch grows while
 * the process answers all of it at once and shrinks when it does not, so that functions that take
 * long delay the look at the query's time by no more than one answer.
 */
final class Foresight implements AutoCloseable {
  /** A call may depend on what one before it gave. */
  private static final int ROUNDS = 4;

  static final int FIRST_BATCH = 16;
  private static final int BATCH_MAX = 1_024;
  private static final int CALLS_OF_ITEM_MAX = 256;
  private static final int SENT_CALLS_MAX = 1_000;
  private static final int SENT_BYTES_MAX = 256 << 10;

  /** Of the calls and results of a batch. */
  private static final long HELD_BYTES_MAX = 4L << 20;

  private static final long NOTED_BYTES = 128;
  private static final long TEXT_BYTES = 64;

  private final Function<List<Message.FunctionCall>, Message.Results> process;
  private final CallBudget budget;
  private final Consumer<Value> evaluation;
  private final IdentityHashMap<Value, OfItem> items = new IdentityHashMap<>();

  /** Those that were not looked at yet, in the order in which they are evaluated. */
  private final Deque<Value> pending;

  private final List<Noted> unsent = new ArrayList<>();
  private int unsentBytes;
  private long heldBytes;
  private int batch;

  /** Whether items are evaluated for nothing but their calls. */
  private boolean inVain;

  /** Whether nothing more is foreseen in this batch. */
  private boolean stopped;

  private @Nullable OfItem current;
  private int place;

  /** Whether a call of the current item was given undefined because nothing is known yet. */
  private boolean guessed;

  /**
   * @param evaluation evaluates an item for nothing but its calls
   * @param batch how many items are looked at first
   */
  Foresight(
      Function<List<Message.FunctionCall>, Message.Results> process,
      CallBudget budget,
      List<Value> items,
      Consumer<Value> evaluation,
      int batch) {
    this.process = process;
    this.budget = budget;
    this.evaluation = evaluation;
    this.batch = batch;
    this.pending = new ArrayDeque<>(items);
    items.forEach(item -> this.items.put(item, new OfItem()));
  }

  /** How many items are looked at next. */
  int batch() {
    return batch;
  }

  private static final class OfItem {
    private final List<Noted> calls = new ArrayList<>();
    private boolean lookedAt;
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

  /** From here on calls are those of the item's evaluation, no longer collected. */
  void begin(Value item) {
    if (inVain) {
      return; // it is the one that is looked at
    }
    OfItem of = items.get(item);
    if (of != null && !of.lookedAt) {
      lookFrom(item);
    }
    turnTo(of);
  }

  private void turnTo(@Nullable OfItem of) {
    current = of;
    place = 0;
    guessed = false;
  }

  /** Forgets the batch before, and evaluates the next until the calls of each item are known. */
  @SuppressWarnings("ReferenceEquality") // it is that very item that is evaluated next
  private void lookFrom(Value item) {
    release();
    List<Value> next = new ArrayList<>();
    while (!pending.isEmpty() && next.size() < batch) {
      Value first = pending.removeFirst();
      OfItem of = items.remove(first);
      if (of != null && (first == item || !next.isEmpty())) {
        of.lookedAt = true;
        items.put(first, of);
        next.add(first);
      }
    }
    stopped = false;
    inVain = true;
    try {
      for (int round = 0; round < ROUNDS && !stopped; round++) {
        for (Value each : next) {
          look(each);
        }
        if (unsent.isEmpty() || !send()) {
          break;
        }
      }
    } finally {
      inVain = false;
      unsent.clear();
      unsentBytes = 0;
    }
    batch = stopped ? Math.max(1, batch / 2) : Math.min(BATCH_MAX, batch * 2);
  }

  private void look(Value item) {
    OfItem of = items.get(item);
    if (stopped || of == null || of.complete) {
      return;
    }
    budget.look();
    turnTo(of);
    try {
      evaluation.accept(item);
    } catch (ProcessEnded e) {
      throw e;
    } catch (RuntimeException e) {
      // It fails the query if it is thrown again when the item is evaluated.
    }
    of.complete = !guessed;
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
    boolean fromGuess = guessed && arguments.contains(Value.UNDEFINED);
    guessed = true;
    int bytes = call.arguments().size();
    if (fromGuess
        || place >= CALLS_OF_ITEM_MAX
        || bytes > SENT_BYTES_MAX
        || !hold(NOTED_BYTES + bytes)) {
      throw new Unknown();
    }
    place++;
    var noted = new Noted(call);
    of.calls.add(noted);
    unsent.add(noted);
    unsentBytes += bytes;
    boolean full = unsent.size() == SENT_CALLS_MAX || unsentBytes > SENT_BYTES_MAX;
    if (full && !send()) {
      throw new Unknown();
    }
    return Value.UNDEFINED;
  }

  /**
   * Makes the calls that were noted; false when one failed, or the process took its time over them:
   * then nothing more is foreseen.
   */
  private boolean send() {
    List<Noted> sent = List.copyOf(unsent);
    unsent.clear();
    unsentBytes = 0;
    budget.look();
    Message.Results results;
    try {
      results = process.apply(sent.stream().map(noted -> noted.call).toList());
    } catch (ScriptRefused e) {
      // Any of them may be why: done again, each is made when the query comes to it.
      throw new ProcessEnded("a call that was foreseen ended it: " + e.getMessage());
    }
    int done = 0;
    for (Value value : results.values()) {
      Noted noted = sent.get(done++);
      if (hold(bytesOf(value))) {
        noted.result = value;
      }
    }
    if (results.refused() != null) {
      sent.get(done).refused = results.refused();
    }
    stopped |= done < sent.size();
    return !stopped;
  }

  private static long bytesOf(Value value) {
    return value instanceof Value.Text(String text)
        ? TEXT_BYTES + 2L * text.length()
        : TEXT_BYTES + Math.max(0, RawJson.sizeOf(value));
  }

  private boolean hold(long bytes) {
    if (heldBytes + bytes > HELD_BYTES_MAX || !budget.tryTake(bytes)) {
      stopped = true;
      return false;
    }
    heldBytes += bytes;
    return true;
  }

  private void release() {
    items.values().removeIf(of -> of.lookedAt);
    budget.giveBack(heldBytes);
    heldBytes = 0;
  }

  @Override
  public void close() {
    items.clear();
    release();
  }

  /** Ends an evaluation that only collects calls. */
  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unknown() {
      super("The next call depends on others", null, false, false);
    }
  }
}
