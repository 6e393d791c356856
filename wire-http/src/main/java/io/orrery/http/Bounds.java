package io.orrery.http;

import io.orrery.operation.Memory;

/**
 * What clients may take of a process, over all its ports.
 *
 * @param plainHttp whether connections without TLS are served
 */
public record Bounds(WireMemory memory, OpenConnections connections, boolean plainHttp) {
  public static final int CONNECTIONS = 10_000;
  public static final int CONNECTIONS_PER_ADDRESS = 1_000;

  /** The usual ones, over a given account. */
  public static Bounds of(Memory memory) {
    return new Bounds(
        new WireMemory(memory), new OpenConnections(CONNECTIONS, CONNECTIONS_PER_ADDRESS), true);
  }
}
