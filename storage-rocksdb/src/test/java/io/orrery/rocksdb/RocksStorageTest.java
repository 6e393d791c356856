package io.orrery.rocksdb;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksStorageTest extends StorageContract {
  @TempDir Path directory;

  @Override
  protected Storage openStorage() {
    return RocksStorage.open(RocksConfig.in(directory));
  }

  @Override
  public boolean durable() {
    return true;
  }
}
