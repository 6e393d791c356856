package io.orrery.model;

import java.util.List;

/** A transaction as the history of all versions has it. */
record Logged(long ticks, List<Changed> changes) {
  static final Logged NOTHING = new Logged(0, List.of());
}
