package io.orrery.query;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Aliases that an expression may name, innermost query first, and where their values are kept. */
final class Scope {
  private final @Nullable Scope outer;
  private final Layout layout;
  private final Map<String, Integer> slots = new HashMap<>();

  Scope(@Nullable Scope outer, Layout layout) {
    this.outer = outer;
    this.layout = layout;
  }

  /** Counts the slots that a frame of the query needs. */
  static final class Layout {
    private final VectorPolicy vectors;
    private int inputs = Frame.ITEM + 1;
    private int results;
    private final Set<String> functions = new TreeSet<>();

    Layout(VectorPolicy vectors) {
      this.vectors = vectors;
    }

    VectorPolicy vectors() {
      return vectors;
    }

    int nextInput() {
      return inputs++;
    }

    int nextResult() {
      return results++;
    }

    /** The query calls a function of the user. */
    void calls(String function) {
      functions.add(function);
    }

    Set<String> functions() {
      return Collections.unmodifiableSet(functions);
    }

    Frame frame(Parameters parameters) {
      return new Frame(inputs, results, parameters);
    }

    Frame frame(Parameters parameters, ThreadWork work) {
      return new Frame(inputs, results, parameters, work);
    }
  }

  Layout layout() {
    return layout;
  }

  void declare(String alias, int slot) {
    slots.put(alias, slot);
  }

  boolean isEmpty() {
    return slots.isEmpty() && (outer == null || outer.isEmpty());
  }

  /** Negative when no such alias is in sight. */
  int slot(String alias) {
    Integer slot = slots.get(alias);
    if (slot != null) {
      return slot;
    }
    return outer == null ? -1 : outer.slot(alias);
  }
}
