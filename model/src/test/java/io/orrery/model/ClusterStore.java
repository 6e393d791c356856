package io.orrery.model;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Entry;
import io.orrery.storage.Head;
import io.orrery.storage.Page;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Read;
import io.orrery.storage.Reads;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A partition as one node sees it. Where the engine keeps old states, many reads show the state of
 * an earlier read, as a region server does that does not know yet that it was replaced.
 */
final class ClusterStore implements PartitionStore {
  private static final long ABSENT = -1;
  private static final int READS_OF_THE_PAST_MAX = 30;

  private final PartitionStore store;
  private final ClusterProcess process;
  private final Random random;

  /** What this node knows to be committed: no answer is older. */
  private final AtomicLong seen = new AtomicLong(ABSENT);

  /** The state of an earlier read; guarded by this. */
  private @Nullable Snapshot past;

  /** How many reads may show it; guarded by this. */
  private int stay;

  ClusterStore(PartitionStore store, ClusterProcess process, Random random) {
    this.store = store;
    this.process = process;
    this.random = random;
  }

  @Override
  public PartitionId id() {
    return store.id();
  }

  @Override
  public Snapshot snapshot() {
    return new View(read(Snapshot::head, ABSENT));
  }

  @Override
  public Read get(byte[] key) {
    return read(state -> state.get(key), ABSENT);
  }

  @Override
  public void expect(long version) {
    seen.accumulateAndGet(version, Math::max);
    store.expect(version);
  }

  @Override
  public CommitResult commit(@Nullable Head expected, Head next, Batch batch) {
    process.reachStorage();
    CommitResult result = store.commit(expected, next, batch);
    Head known = result instanceof CommitResult.Refused(Head actual) ? actual : next;
    seen.accumulateAndGet(version(known), Math::max);
    process.reachStorage();
    return result;
  }

  @Override
  public void load(Iterator<Entry> sorted) {
    process.reachStorage();
    store.load(sorted);
  }

  /** Reads from one state that is not older than what was known before the question. */
  private <T extends @Nullable Object> T read(Function<Snapshot, T> question, long atLeast) {
    process.reachStorage();
    T answer;
    Snapshot state = state(Math.max(atLeast, seen.get()));
    try {
      answer = question.apply(state);
      seen.accumulateAndGet(version(state.head()), Math::max);
    } finally {
      if (!state.isRepeatable()) {
        state.close();
      }
    }
    process.reachStorage();
    return answer;
  }

  /** Lets the next read show the latest state. */
  synchronized void catchUp() {
    past = null;
  }

  private synchronized Snapshot state(long least) {
    Snapshot known = past;
    if (known != null && version(known.head()) >= least && stay-- > 0) {
      return known;
    }
    Snapshot latest = store.snapshot();
    stay = random.nextInt(READS_OF_THE_PAST_MAX);
    past = latest.isRepeatable() ? latest : null;
    return latest;
  }

  private static long version(@Nullable Head head) {
    return head == null ? ABSENT : head.version();
  }

  /** Several reads, each of a state of its own. */
  private final class View implements Snapshot {
    private final @Nullable Head opened;
    private volatile boolean closed;

    View(@Nullable Head opened) {
      this.opened = opened;
    }

    @Override
    public @Nullable Head head() {
      return opened;
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public Read get(byte[] key) {
      return ask(state -> state.get(key));
    }

    @Override
    public Reads multiGet(List<byte[]> keys) {
      return ask(state -> state.multiGet(keys));
    }

    @Override
    public Page scan(Scan scan) {
      return ask(state -> state.scan(scan));
    }

    private <T> T ask(Function<Snapshot, T> question) {
      if (closed) {
        throw new IllegalStateException("Snapshot is closed");
      }
      return read(question, version(opened));
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
