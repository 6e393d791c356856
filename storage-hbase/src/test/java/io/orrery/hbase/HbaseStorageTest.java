package io.orrery.hbase;

import io.orrery.storage.Storage;
import io.orrery.storage.StorageContract;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class HbaseStorageTest extends StorageContract {
  private final String table = "contract-" + UUID.randomUUID();

  @BeforeAll
  static void requireHbase() {
    var _ = RunningHbase.zookeeper();
  }

  @Override
  protected Storage openStorage() {
    return HbaseStorage.open(HbaseConfig.at(RunningHbase.zookeeper()).withTable(table));
  }

  @Override
  public boolean durable() {
    return true;
  }

  @AfterEach
  void removeTable() {
    storage().close();
    RunningHbase.remove(table);
  }
}
