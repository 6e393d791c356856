package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.storage.Batch;
import io.orrery.storage.CommitId;
import io.orrery.storage.CommitResult;
import io.orrery.storage.Head;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import java.util.Objects;

/** Changes entries of a partition behind the back of the server. */
final class StoredDamage {
  private StoredDamage() {}

  static void commit(PartitionStore store, Batch batch) {
    Head head;
    try (Snapshot snapshot = store.snapshot()) {
      head = Objects.requireNonNull(snapshot.head());
    }
    var next =
        new Head(
            head.version() + 1,
            head.lsn(),
            head.epoch(),
            head.state(),
            head.commitTicks(),
            head.nextDocument(),
            head.schema(),
            CommitId.random());
    assertInstanceOf(CommitResult.Committed.class, store.commit(head, next, batch));
  }
}
