package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.storage.Member;
import io.orrery.storage.PartitionId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How far partitions of other nodes were when this node heard of them last. */
final class HeardLsns {
  /** What is older lets others look through too much of the history. */
  private static final Duration LATELY = Duration.ofSeconds(10);

  private static final int PARTITIONS_MAX = 200_000;

  private final Conversation others;
  private final Map<PartitionId, Heard> heard = new ConcurrentHashMap<>();

  private record Heard(long lsn, long nanos) {
    Heard later(Heard other) {
      return new Heard(Math.max(lsn, other.lsn), Math.max(nanos, other.nanos));
    }
  }

  HeardLsns(Conversation others) {
    this.others = others;
  }

  /**
   * A transaction that is over, of late; blocks while it asks.
   *
   * @throws NotHere when whoever should know does not
   */
  long of(Member owner, MappedRange range) {
    Heard known = heard.get(range.partition());
    if (known != null && System.nanoTime() - known.nanos < LATELY.toNanos()) {
      return known.lsn;
    }
    long asked = System.nanoTime();
    Message said = others.ask(owner, new Message.WhichLsn(range.partition().value()));
    if (said instanceof Message.At(long lsn)) {
      hear(range.partition(), new Heard(lsn, asked));
      return lsn;
    }
    throw new NotHere("Node " + owner.address() + " does not serve range " + range.id());
  }

  /** Takes note of an answer, unless it came from a range that has taken the place of this one. */
  void hear(MappedRange range, Answer answer) {
    Answer.Position position = answer.position();
    if (position != null && position.rangeId().equals(range.id())) {
      hear(range.partition(), new Heard(position.lsn(), System.nanoTime()));
    }
  }

  private void hear(PartitionId partition, Heard now) {
    if (heard.size() > PARTITIONS_MAX) {
      heard.clear(); // many of them are gone; the others are asked again
    }
    heard.merge(partition, now, Heard::later);
  }
}
