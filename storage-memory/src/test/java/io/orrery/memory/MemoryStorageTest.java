package io.orrery.memory;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageContract;

class MemoryStorageTest extends StorageContract {

  @Override
  protected Storage openStorage() {
    return new MemoryStorage();
  }

  @Override
  public boolean durable() {
    return false;
  }
}
