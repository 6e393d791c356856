package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Joining;
import io.orrery.storage.StorageFault;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A table serves one account, whose keys can be replaced one after the other. */
class AccountTest {
  private final String table = "account-" + UUID.randomUUID();

  @AfterEach
  void remove() {
    RunningHbase.remove(table);
  }

  @Test
  void tableStaysWithTheAccountThatMadeIt() {
    open("a", "b");
    open("a", "b");
    for (int again = 0; again < 2; again++) {
      var refused = assertThrows(StorageFault.class, () -> open("c", "d"));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("belongs to an account with other keys"), message);
      assertTrue(message.contains("deleteall '" + table + "'"), message);
    }
    assertDoesNotThrow(() -> open("b", "a"));
  }

  @Test
  void keysAreReplacedOneAfterTheOther() {
    serve("a", "b");
    serve("b", "c");
    serve("c", "d");
    assertThrows(StorageFault.class, () -> serve("a", "b"));
  }

  @Test
  void whoOnlyLooksChangesNothing() {
    serve("a", "b");
    open("b", "c");
    assertThrows(StorageFault.class, () -> open("c", "d"));
    assertDoesNotThrow(() -> open("a", "e"));
  }

  @Test
  void accountIsNoPartition() {
    open("a");
    try (var storage = HbaseStorage.open(config())) {
      assertEquals(List.of(), storage.list());
    }
  }

  private HbaseConfig config() {
    return HbaseConfig.at(RunningHbase.zookeeper()).withTable(table);
  }

  private void serve(String... marks) {
    try (var storage = HbaseStorage.open(config().withAccount(Set.of(marks)))) {
      storage.join(new Joining("127.0.0.1:1", "test", Map.of())).close();
    }
  }

  private void open(String... marks) {
    HbaseStorage.open(config().withAccount(Set.of(marks))).close();
  }
}
