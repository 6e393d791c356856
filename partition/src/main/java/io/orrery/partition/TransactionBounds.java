package io.orrery.partition;

import io.orrery.operation.Refusal;

/**
 * How much one transaction of user code may do. The writer does all of it again at the commit, and
 * all other writes of the partition wait meanwhile.
 */
final class TransactionBounds {
  /** From here on code is told to end, while there is still room for what it may do before. */
  static final long BYTES_ACCEPTED = Transaction.BYTES_MAX - (4 << 20);

  static final int ENTRIES_ACCEPTED = WriteGroup.BATCH_ENTRIES_MAX - 5_000;

  static final int STEPS_MAX = 10_000;

  /** The part of the other bounds from which on code is told to end. */
  static final double PART_ACCEPTED = 0.75;

  static final Refusal TOO_MUCH =
      new Refusal.ScriptTooLarge(
          ("One execution of a script writes at most %d times, and the items that it writes or"
                  + " finds absent are at most %d and have at most %d MB; this step was not done."
                  + " End when a call answers false, and go on in another execution.")
              .formatted(
                  STEPS_MAX, ExpectedVersions.COUNT_MAX, ExpectedVersions.STORED_BYTES_MAX >> 20));

  private TransactionBounds() {}
}
