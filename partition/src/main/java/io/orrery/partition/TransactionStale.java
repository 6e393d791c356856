package io.orrery.partition;

/** Something that a transaction rests on has changed: it has to run again from its beginning. */
public final class TransactionStale extends RuntimeException {
  private static final long serialVersionUID = 1;

  TransactionStale() {
    // Control flow towards whoever runs the transaction, not a fault: no stack trace.
    super("The transaction met a change of another", null, false, false);
  }
}
