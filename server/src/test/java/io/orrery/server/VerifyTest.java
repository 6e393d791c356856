package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.partition.format.v1.Keys;
import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.server.SignedClient.Target;
import io.orrery.storage.Batch;
import io.orrery.storage.PartitionId;
import io.orrery.storage.PartitionStore;
import io.orrery.storage.Scan;
import io.orrery.storage.Snapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command over the data directory of a server that has stopped. */
class VerifyTest {
  private static final int ITEMS = 20;

  @TempDir Path data;

  private record Ended(int code, String output) {}

  private Ended verify() {
    return verify("--data", data.toString());
  }

  private static Ended verify(String... words) {
    var out = new StringWriter();
    int code =
        Commands.with(Map.of())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(Stream.concat(Stream.of("verify"), Stream.of(words)).toArray(String[]::new));
    return new Ended(code, out.toString());
  }

  private void fill() throws IOException {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.DATA, data.toString());
    given.put(Setting.PORT, "0");
    given.put(Setting.TLS, "off");
    try (Server server = Server.start(Settings.read(given, Map.of()))) {
      var client = new SignedClient("http://127.0.0.1:" + server.address().getPort());
      client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      String definition =
          "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2},"
              + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/u\"]}]},\"defaultTtl\":-1}";
      client.send(Target.feed("POST", "colls", "dbs/d"), definition);
      for (int i = 0; i < ITEMS; i++) {
        String item = "{\"id\":\"%d\",\"pk\":\"%d\",\"u\":%d,\"ttl\":600}".formatted(i, i % 3, i);
        var made =
            client.send(
                Target.feed("POST", "docs", "dbs/d/colls/c"),
                item,
                "x-ms-documentdb-partitionkey",
                "[\"" + i % 3 + "\"]");
        assertEquals(201, made.statusCode(), made.body());
      }
    }
  }

  /** Removes the first entry of a kind from the only partition with items. */
  private void damage(byte kind) {
    try (var storage = RocksStorage.open(RocksConfig.in(DataDirectory.engine(data)))) {
      PartitionId id = storage.list().getLast();
      PartitionStore store = storage.open(id);
      try (Snapshot snapshot = store.snapshot()) {
        byte[] key =
            snapshot
                .scan(Scan.forward(new byte[] {kind}, new byte[] {(byte) (kind + 1)}).atMost(1))
                .entries()
                .getFirst()
                .key();
        StoredDamage.commit(store, new Batch().delete(key));
      }
    }
  }

  @Test
  void soundDataIsVerified() throws IOException {
    fill();
    Ended ended = verify();
    assertEquals(0, ended.code(), ended.output());
    assertTrue(ended.output().contains("d/c range 0: 20 items, sound"), ended.output());
    assertTrue(
        ended.output().contains("Verified 1 partitions with 20 items: all entries fit the items"),
        ended.output());
  }

  @Test
  void theDirectoryNeedsNoOption() throws IOException {
    fill();
    Ended ended = verify(data.toString());
    assertEquals(0, ended.code(), ended.output());
    assertTrue(ended.output().contains("d/c range 0: 20 items, sound"), ended.output());
    Ended twice = verify(data.toString(), "--data", data.toString());
    assertEquals(2, twice.code(), twice.output());
    assertTrue(twice.output().contains("name the data directory once"), twice.output());
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    fill();
    damage(Keys.INDEX);
    damage(Keys.UNIQUE);
    damage(Keys.PATH_COUNT);
    damage(Keys.LOGICAL);
    damage(Keys.EXPIRY);
    Ended ended = verify();
    assertEquals(1, ended.code(), ended.output());
    assertTrue(ended.output().contains("lacks the entry index"), ended.output());
    assertTrue(ended.output().contains("is not found by its unique key"), ended.output());
    assertTrue(ended.output().contains("1 paths of items are not counted"), ended.output());
    assertTrue(ended.output().contains("and its items have"), ended.output());
    assertTrue(ended.output().contains("lacks the entry expiry"), ended.output());
    assertTrue(ended.output().contains("1 partitions are damaged"), ended.output());
  }

  @Test
  void itemThatIsGoneLeavesEntriesThatAreNamed() throws IOException {
    fill();
    damage(Keys.ITEM);
    Ended ended = verify();
    assertEquals(1, ended.code(), ended.output());
    assertTrue(
        ended.output().contains("There are 20 entries of the kind primary key, and items for 19"),
        ended.output());
  }

  @Test
  void folderWithoutDataIsRefused() {
    Ended ended = verify();
    assertEquals(2, ended.code(), ended.output());
    assertTrue(ended.output().contains("holds no data of the engine rocksdb"), ended.output());
  }
}
