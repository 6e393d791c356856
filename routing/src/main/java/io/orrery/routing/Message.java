package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What nodes say to each other. */
sealed interface Message extends Serializable {

  /**
   * Asks for an operation to be done where it arrives.
   *
   * @param mark of a write to a partition
   * @param to the number of the node that is meant: under another one it does it too late
   * @param nanos for how long whoever asks waits
   */
  record Execute(Operation operation, @Nullable Mark mark, long to, long nanos)
      implements Message {}

  /** What came of it. */
  record Executed(Answer answer) implements Message {}

  /** It was not done: another node has to do it. */
  record NotMine(String why) implements Message {}

  /** It failed; what was done is not known. */
  record Failed(String why) implements Message {}

  /** Asks to serve a partition no longer: the sender takes it over. */
  record Release(long partition) implements Message {}

  /** Asks how far a partition is. */
  record HowFar(long partition) implements Message {}

  /** Asks which transaction of a partition was the last. */
  record WhichLsn(long partition) implements Message {}

  /** A version: of a partition's last commit or transaction, or of the catalog. */
  record At(long version) implements Message {}

  /** Asks for the version of the catalog, of the one who leads. */
  record WhichCatalog() implements Message {}

  /** Asks to go by a version of the catalog from now on. */
  record Follow(long version) implements Message {}

  /** Asks what the virtual clock of the one who leads shows. */
  record WhichTime() implements Message {}

  /** What it shows; said by that one when it is advanced. */
  record Time(VirtualClock.Reading shown) implements Message {}

  /** Tells the one who leads that a partition has grown. */
  record Grown() implements Message {}

  /** Asks for request units of a partition, before their number is known. */
  record Draw(long partition, RequestCharge estimate) implements Message {}

  /** They are spent for the time being. */
  record Spent(Refusal refusal) implements Message {}

  /**
   * Tells what was used of the units that were asked for.
   *
   * @param key whose request it was; null when it concerned several
   */
  record Settle(
      long partition, RequestCharge estimate, RequestCharge charge, @Nullable PartitionKey key)
      implements Message {}

  /** Asks what was used of a partition's units. */
  record HowUsed(long partition) implements Message {}

  record Used(Budget.Usage usage) implements Message {}

  /** It was done. */
  record Done() implements Message {}
}
