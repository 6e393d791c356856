package io.orrery.routing;

import io.orrery.operation.Memory;
import io.orrery.operation.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Lets queries in that must see all items before their first row, as many as the query lane of the
 * memory account can feed. The queries of one container have at most half of the places, so that
 * those of others find one; queries within one partition key, which are short as a rule, have
 * places of their own.
 */
final class GatheringRoom {
  /** What the answers of partitions take that one query has asked for and not yet gathered. */
  private static final long PLACE_BYTES = 4L << 20;

  private static final int PLACES_MIN = 8;

  /** How long a client may be gone before a query that waits for a place ends. */
  private static final long LOOK_MILLIS = 100;

  private final Places whole;
  private final Places oneKey;

  GatheringRoom(Memory memory) {
    long fed = memory.boundBytes(Memory.Lane.QUERY) / PLACE_BYTES;
    int places = Math.clamp(fed, PLACES_MIN, Integer.MAX_VALUE);
    whole = new Places(places);
    oneKey = new Places(places);
  }

  /**
   * Waits for a place.
   *
   * @param container whose items are asked for
   * @param over says when the query's time is over, or its client gone
   * @throws Refused when there is none before that
   */
  Place enter(String container, boolean withinOneKey, BooleanSupplier over) {
    Places places = withinOneKey ? oneKey : whole;
    try {
      places.take(container, over);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(new Refusal.Unavailable("The server is stopping"));
    }
    return () -> places.giveBack(container);
  }

  /** A place, for as long as it is open. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /** Places of one kind. */
  private static final class Places {
    private final int most;
    private final int mostOfContainer;

    /** How many the queries of a container hold; guarded by this. */
    private final Map<String, Integer> held = new HashMap<>();

    private int heldInAll;

    Places(int most) {
      this.most = most;
      this.mostOfContainer = most / 2;
    }

    synchronized void take(String container, BooleanSupplier over) throws InterruptedException {
      while (heldInAll >= most || held.getOrDefault(container, 0) >= mostOfContainer) {
        if (over.getAsBoolean()) {
          throw new Refused(
              new Refusal.Unavailable("Too many queries sort or group at once; try again"));
        }
        wait(LOOK_MILLIS);
      }
      heldInAll++;
      held.merge(container, 1, Integer::sum);
    }

    synchronized void giveBack(String container) {
      heldInAll--;
      held.computeIfPresent(container, (_, count) -> count == 1 ? null : count - 1);
      notifyAll();
    }
  }
}
