package io.orrery.storage;

/** What the rules of the contract need from the suite that runs them. */
public interface StorageUnderTest {

  /** The storage of this test, empty at its start. */
  Storage storage();

  /** Whether committed state survives {@link #reopen}. */
  boolean durable();

  /** Closes the storage and opens the same one again; only asked of durable engines. */
  Storage reopen();
}
