package io.orrery.cluster;

import io.orrery.operation.Memory;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A lane of the memory account as the connections to other nodes share it. Large frames wait for
 * room in the order in which they came, so that none waits for ever, and leave a part of the lane
 * to small ones, with which nodes agree on who serves what. Unlike rooms for clients it closes no
 * connection to free memory: the outcome of writes on it would be unknown.
 */
final class NodeRoom {
  private static final int SMALL_BYTES = 64 << 10;
  private static final int SMALL_DIVISOR = 8;

  private final Memory memory;
  private final Memory.Lane lane;
  private final long smallRoomBytes;

  /** Guarded by this, like all below. */
  private final Queue<Object> waiting = new ArrayDeque<>();

  private long largeBytes;
  private long smallBytes;

  NodeRoom(Memory memory, Memory.Lane lane) {
    this.memory = memory;
    this.lane = lane;
    this.smallRoomBytes = memory.boundBytes(lane) / SMALL_DIVISOR;
  }

  /**
   * Draws bytes, or has {@code who} stand in line, to ask again until it has them or gives up. A
   * frame above the lane is admitted when no other large one is there: some heaps are small.
   */
  synchronized boolean tryTakeInTurn(Object who, long bytes) {
    boolean first = waiting.isEmpty() || who.equals(waiting.peek());
    if ((isSmall(bytes) || first) && tryTake(bytes)) {
      waiting.remove(who);
      return true;
    }
    if (!isSmall(bytes) && !waiting.contains(who)) {
      waiting.add(who);
    }
    return false;
  }

  /** Draws bytes when they are free now, regardless of the queue. */
  synchronized boolean tryTake(long bytes) {
    if (isSmall(bytes) ? hasSmallRoom(bytes) : largeBytes == 0) {
      take(bytes);
      return true;
    }
    if (!memory.tryTake(lane, bytes, isSmall(bytes) ? 0 : smallRoomBytes)) {
      return false;
    }
    count(bytes, 1);
    return true;
  }

  private boolean hasSmallRoom(long bytes) {
    return smallBytes + bytes <= smallRoomBytes;
  }

  /** Draws bytes that are held in any case. */
  synchronized void take(long bytes) {
    memory.take(lane, bytes);
    count(bytes, 1);
  }

  synchronized void giveBack(long bytes) {
    memory.giveBack(lane, bytes);
    count(bytes, -1);
  }

  /** Gives up a place in the line. */
  synchronized void forget(Object who) {
    waiting.remove(who);
  }

  private void count(long bytes, int sign) {
    if (isSmall(bytes)) {
      smallBytes += sign * bytes;
    } else {
      largeBytes += sign * bytes;
    }
  }

  private static boolean isSmall(long bytes) {
    return bytes <= SMALL_BYTES;
  }
}
