package io.orrery.http;

import io.orrery.operation.Memory;

/** The memory that the requests and answers of all connections of a process may take. */
public final class WireMemory {
  private final LaneRoom heads;
  private final LaneRoom in;
  private final LaneRoom out;
  private final LaneRoom unsent;

  public WireMemory(Memory memory) {
    heads = new LaneRoom(memory, Memory.Lane.WIRE_HEAD);
    in = new LaneRoom(memory, Memory.Lane.WIRE_IN);
    out = new LaneRoom(memory, Memory.Lane.WIRE_OUT);
    unsent = new LaneRoom(memory, Memory.Lane.WIRE_UNSENT);
  }

  /** For request lines and headers that are not there as a whole. */
  LaneRoom heads() {
    return heads;
  }

  /** For bodies of requests. */
  LaneRoom in() {
    return in;
  }

  /** For large answers. */
  LaneRoom out() {
    return out;
  }

  /** For what waits for clients without having been drawn before. */
  LaneRoom unsent() {
    return unsent;
  }
}
