package io.orrery.http;

import io.orrery.operation.Memory;
import java.util.function.LongSupplier;

/** The memory that the requests and answers of all connections of a process may take. */
public final class WireMemory {
  /** The part of the memory for bodies that large ones leave to small ones. */
  private static final int SMALL_DIVISOR = 8;

  private final LaneRoom heads;
  private final LaneRoom in;
  private final LaneRoom out;
  private final LaneRoom unsent;

  public WireMemory(Memory memory) {
    this(memory, System::nanoTime);
  }

  /**
   * @param nanos the clock that says for how long clients keep bytes waiting
   */
  WireMemory(Memory memory, LongSupplier nanos) {
    heads = new LaneRoom(memory, Memory.Lane.WIRE_HEAD, nanos);
    long smallBytes = memory.boundBytes(Memory.Lane.WIRE_IN) / SMALL_DIVISOR;
    in = new LaneRoom(memory, Memory.Lane.WIRE_IN, smallBytes, nanos);
    out = new LaneRoom(memory, Memory.Lane.WIRE_OUT, nanos);
    unsent = new LaneRoom(memory, Memory.Lane.WIRE_UNSENT, nanos);
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
