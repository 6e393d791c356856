package io.orrery.memory;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageContract;

/** The contract holds also when every call on a snapshot sees the latest state. */
class MovingMemoryStorageTest extends StorageContract {

  @Override
  protected Storage openStorage() {
    return new MemoryStorage(false);
  }

  @Override
  public boolean durable() {
    return false;
  }
}
