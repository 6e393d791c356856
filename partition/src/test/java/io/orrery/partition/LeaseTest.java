package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.Outcome;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Snapshot;
import io.orrery.storage.StorageFault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of a partition that others could serve as well. */
@Timeout(60)
class LeaseTest {
  @Test
  void leaseThatIsOverBeforeItBeginsKeepsNobodyFromReading() {
    try (var p = new PartitionFixture(false)) {
      p.create("a", "1");
      p.partition.close();
      p.partition = opened(p, new Unleased(1));
      IntStream.range(0, 100)
          .parallel()
          .forEach(n -> assertInstanceOf(Outcome.ItemRead.class, p.read("a", "1").outcome()));
      assertEquals(1, p.partition.lsn());
    }
  }

  @Test
  void whoeverWasOvertakenDoesNotAnswer() {
    try (var p = new PartitionFixture(false)) {
      p.create("a", "1");
      p.partition.close();
      Partition late = opened(p, new Unleased(1));
      p.partition = opened(p, new Unleased(2));
      p.create("a", "2");
      assertThrows(PartitionMoved.class, late::acknowledged);
    }
  }

  /** Otherwise the seal of a process that has gone would stay for ever. */
  @Test
  void recoveryDoesNotRelyOnAHeadFromThePast() {
    try (var p = new PartitionFixture(true)) {
      p.partition.close();
      opened(p, new Unleased(2)).close();
      Snapshot past = p.store.snapshot();
      Partition sealed = opened(p, new Unleased(1));
      sealed.seal();
      sealed.close();
      PartitionStore old = answeringWith(past, p.store);
      assertThrows(StorageFault.class, () -> Partition.recover(old, new Unleased(2)));
      Partition.recover(p.store, new Unleased(2));
      p.partition = opened(p, new Unleased(2));
      p.create("a", "1");
    }
  }

  private static PartitionStore answeringWith(Snapshot past, PartitionStore store) {
    return (PartitionStore)
        Proxy.newProxyInstance(
            PartitionStore.class.getClassLoader(),
            new Class<?>[] {PartitionStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("snapshot") ? past : method.invoke(store, arguments));
  }

  private static Partition opened(PartitionFixture p, Tenure tenure) {
    return Partition.open(p.store, p.settings(), new CounterHints(1 << 20), () -> {}, tenure);
  }

  /** Of a process whose commits take longer than its leases last. */
  private record Unleased(long number) implements Tenure {
    @Override
    public long epoch(long found) {
      return number;
    }

    @Override
    public Duration dismiss(PartitionId partition, long epoch) {
      return Duration.ZERO;
    }

    @Override
    public Duration lease() {
      return Duration.ZERO;
    }

    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public void lost() {}
  }
}
