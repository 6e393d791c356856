package io.orrery.faults;

import java.util.HashMap;
import java.util.Map;

/** The highest LSN that was acknowledged of each range: no later one may be lower. */
final class Positions {
  private final Map<String, Long> highest = new HashMap<>();
  private final Map<String, Long> atLastStart = new HashMap<>();

  synchronized void started() {
    atLastStart.putAll(highest);
  }

  synchronized void acknowledged(Client.Answer answer) {
    String range = answer.header("x-ms-documentdb-partitionkeyrangeid");
    long lsn = Long.parseLong(answer.header("lsn"));
    long floor = atLastStart.getOrDefault(range, 0L);
    if (lsn <= floor) {
      throw new Finding(
          "range %s gave LSN %d after LSN %d of before the cut".formatted(range, lsn, floor));
    }
    highest.merge(range, lsn, Math::max);
  }
}
