package io.orrery.storage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * What every engine promises. An engine's test extends this class, opens a new storage for each
 * test and, if it is durable, the same one again after it was closed.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class StorageContract
    implements CommitRules, ReadRules, ScanRules, LoadRules, DropRules, CloseRules, RaceRules {
  @SuppressWarnings("NullAway.Init") // set before each test
  private Storage storage;

  /** Opens the storage of this test; again after it was closed, if the engine is durable. */
  protected abstract Storage openStorage();

  @BeforeEach
  void open() {
    storage = openStorage();
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Storage reopen() {
    storage.close();
    storage = openStorage();
    return storage;
  }
}
