package io.orrery.operation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of the memory that requests make the server hold. It is divided into lanes, so that
 * one kind of work cannot take the room of another; every holder draws its bytes before it uses
 * them and returns them when they can be collected. Native memory is drawn like heap.
 */
public final class Memory {

  /** What the bytes are held for. */
  public enum Lane {
    /** Headers that are being received: their clients are not known yet. */
    WIRE_HEAD(32),
    /** Request bodies that are being received or wait to be worked on. */
    WIRE_IN(8),
    /** Writes that wait for the writer of their partition. */
    WAITING_WRITES(8),
    /** Values, rows and groups of queries that are running, and pages of feeds. */
    QUERY(4),
    /** Documents and results on their way to and from scripts. */
    SCRIPT(16),
    /** Large answers that clients have not taken yet. */
    WIRE_OUT(8),
    /** What clients have not taken beyond that: many small answers, and what surrounds items. */
    WIRE_UNSENT(32),
    /**
     * Requests of other nodes, from before they are read until they are answered. Their work may
     * wait for answers of other nodes, which therefore have a lane of their own: two nodes that
     * fill each other's lane with requests still read each other's answers, and go on.
     */
    NODE_REQUESTS(32),
    /**
     * Answers of other nodes, from before they are read until whoever asked has decoded them. That
     * waits for nothing, so that this lane always empties.
     */
    NODE_ANSWERS(32),
    /** Answers to other nodes that these have not taken yet. */
    NODE_OUT(16);

    private final int divisor;

    Lane(int divisor) {
      this.divisor = divisor;
    }

    /** The part of the heap that the lane may hold. */
    long boundOf(long heapBytes) {
      return heapBytes / divisor;
    }
  }

  private static final Memory PROCESS = ofHeap(Runtime.getRuntime().maxMemory());

  private record Account(long boundBytes, AtomicLong takenBytes) {}

  private final Map<Lane, Account> accounts = new EnumMap<>(Lane.class);

  private Memory(long heapBytes) {
    for (Lane lane : Lane.values()) {
      accounts.put(lane, new Account(lane.boundOf(heapBytes), new AtomicLong()));
    }
  }

  /** The account of this process. */
  public static Memory process() {
    return PROCESS;
  }

  /** An account for a heap of a given size. */
  public static Memory ofHeap(long heapBytes) {
    return new Memory(heapBytes);
  }

  /** Draws bytes from a lane; false, and nothing is drawn, when they exceed its bound. */
  public boolean tryTake(Lane lane, long bytes) {
    return tryTake(lane, bytes, 0);
  }

  /** The same, also false when less than so many would be left to others. */
  public boolean tryTake(Lane lane, long bytes, long leftBytes) {
    Account account = account(lane);
    if (account.takenBytes.addAndGet(bytes) <= account.boundBytes - leftBytes) {
      return true;
    }
    account.takenBytes.addAndGet(-bytes);
    return false;
  }

  /** Draws bytes that are held already, also beyond the bound: others are refused then. */
  public void take(Lane lane, long bytes) {
    account(lane).takenBytes.addAndGet(bytes);
  }

  /** Returns bytes that were drawn before. */
  public void giveBack(Lane lane, long bytes) {
    account(lane).takenBytes.addAndGet(-bytes);
  }

  public long boundBytes(Lane lane) {
    return account(lane).boundBytes;
  }

  public long takenBytes(Lane lane) {
    return account(lane).takenBytes.get();
  }

  private Account account(Lane lane) {
    return Objects.requireNonNull(accounts.get(lane));
  }
}
