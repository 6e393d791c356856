package io.orrery.http;

import io.orrery.operation.Memory;

/** The memory that the requests and answers of all connections of a process may take. */
public final class WireMemory {
  private final LaneRoom in;
  private final LaneRoom out;

  public WireMemory(Memory memory) {
    in = new LaneRoom(memory, Memory.Lane.WIRE_IN);
    out = new LaneRoom(memory, Memory.Lane.WIRE_OUT);
  }

  /** For bodies of requests. */
  LaneRoom in() {
    return in;
  }

  /** For answers. */
  LaneRoom out() {
    return out;
  }
}
