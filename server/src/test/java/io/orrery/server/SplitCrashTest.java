package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.rocksdb.RocksConfig;
import io.orrery.rocksdb.RocksStorage;
import io.orrery.routing.ReshapeStep;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.server.SignedClient.Target;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ends the server in the middle of splits, at every step that makes a difference and at random
 * moments. Afterwards every acknowledged write is there once, nothing is left behind, and the split
 * is done. More rounds: {@code mvn -pl server -am test -Dtest=SplitCrashTest
 * -Dsplit.crash.rounds=300 -Dsurefire.failIfNoSpecifiedTests=false}; {@code -Dsplit.crash.seed}
 * repeats a run.
 */
class SplitCrashTest {
  private static final int ROUNDS = Integer.getInteger("split.crash.rounds", 3);
  private static final long SEED = Long.getLong("split.crash.seed", System.nanoTime());
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int ITEMS_PER_WRITER = 60;

  /** So small that one split follows the other, and most kills hit one. */
  private static final String[] TINIEST = {
    "--partition-bytes=20000", "--logical-partition-bytes=20000"
  };

  private static final String[] TINY = {
    "--partition-bytes=100000", "--logical-partition-bytes=100000"
  };

  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9]+-[0-9]+)\"");
  private static final Pattern RANGE =
      Pattern.compile("\"minInclusive\":\"([0-9A-F]*)\",\"maxExclusive\":\"([0-9A-F]*)\"");

  @TempDir Path data;

  private CrashLedger ledger = new CrashLedger();
  private String container = "c";
  private CrashWriters writers = new CrashWriters(container, ledger, ITEMS_PER_WRITER);

  @ParameterizedTest
  @EnumSource(ReshapeStep.class)
  void crashAtEveryStepIsUndoneOrFinished(ReshapeStep step) throws Exception {
    var random = new Random(SEED);
    System.out.println("split.crash.seed=" + SEED + " at " + step);
    try (ServerProcess server =
        ServerProcess.start(data, List.of("-Dorrery.crash.at=" + step), TINY)) {
      CrashWriters.makeContainer(server.client(), container, 1_000);
      writers.start(server.client(), random);
      assertEquals(CrashPoint.EXIT_CODE, server.awaitEnd());
      writers.join();
    }
    checkAfter(step.compareTo(ReshapeStep.DECIDED) < 0 ? 1 : 2);
    finish(random);
  }

  @ParameterizedTest
  @EnumSource(ReshapeStep.class)
  void crashAtEveryStepOfAMergeIsUndoneOrFinished(ReshapeStep step) throws Exception {
    var random = new Random(SEED);
    System.out.println("split.crash.seed=" + SEED + " merge at " + step);
    try (ServerProcess server = ServerProcess.start(data, "--partition-units=1000")) {
      CrashWriters.makeContainer(server.client(), container, 2_000);
      writers.start(server.client(), random);
      await(() -> ledger.present().size() >= 100);
      writers.stop();
      assertEquals(143, server.stop());
    }
    // With its usual share one partition carries the throughput, so that two may merge.
    try (ServerProcess server = ServerProcess.start(data, List.of("-Dorrery.crash.at=" + step))) {
      writers.start(server.client(), random);
      merge(server.client());
      assertEquals(CrashPoint.EXIT_CODE, server.awaitEnd());
      writers.join();
    }
    checkAfter(step.compareTo(ReshapeStep.DECIDED) < 0 ? 2 : 1);
    finish(random);
  }

  private static void merge(SignedClient client) {
    var target = new Target("POST", "", "", "_orrery/databases/d/containers/c/partitions/merge");
    try {
      var answer = client.send(target, "{\"ids\":[\"0\",\"1\"]}");
      assertEquals(202, answer.statusCode(), answer.body());
    } catch (IOException e) {
      // It was quicker with its end than with its answer.
    }
  }

  /** A restart decides for one of the two maps and leaves nothing behind. */
  private void checkAfter(int ranges) {
    try (Storage storage = storage()) {
      Held held = Held.in(storage);
      assertEquals(held.named(), new TreeSet<>(storage.list()));
      assertEquals(1 + ranges, held.named().size());
      ledger.check(storage);
    }
  }

  @Test
  void killsAtRandomMomentsLeaveNothingBehind() throws Exception {
    System.out.println("split.crash.seed=" + SEED + " split.crash.rounds=" + ROUNDS);
    var random = new Random(SEED);
    int within = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ledger = new CrashLedger();
      container = "c" + round;
      writers = new CrashWriters(container, ledger, ITEMS_PER_WRITER);
      try (ServerProcess server = ServerProcess.start(data, TINIEST)) {
        CrashWriters.makeContainer(server.client(), container, 1_000);
        writers.start(server.client(), random);
        int grown = 20 + random.nextInt(350);
        await(() -> ledger.present().size() >= grown);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
        server.kill();
        writers.join();
      }
      try (Storage storage = storage()) {
        Held held = Held.in(storage);
        within += held.named().equals(held.partitions()) ? 0 : 1;
        assertEquals(held.named(), new TreeSet<>(storage.list()));
        ledger.check(storage);
      }
      finish(random);
    }
    System.out.println(within + " of " + ROUNDS + " kills came while partitions split");
  }

  /** After a restart everything is there, and partitions split as if nothing had happened. */
  private void finish(Random random) throws IOException, InterruptedException {
    try (ServerProcess server = ServerProcess.start(data, TINY)) {
      SignedClient client = server.client();
      writers.readBack(client);
      writers.start(client, random);
      await(() -> ranges(client) > 1);
      writers.stop();
      writers.readBack(client);
      assertEquals(ledger.present().keySet().stream().sorted().toList(), listed(client));
      var answer = client.send(Target.one("DELETE", "colls", "dbs/d/colls/" + container), "");
      assertEquals(204, answer.statusCode(), answer.body());
      assertEquals(143, server.stop());
    }
    try (Storage storage = storage()) {
      Catalog.open(storage);
      assertEquals(List.of(Catalog.PARTITION), List.copyOf(storage.list()));
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < until, "waited in vain");
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private Storage storage() {
    return RocksStorage.open(RocksConfig.in(data.resolve("rocksdb")));
  }

  /** How many ranges the map has; together they are the whole of the hash space. */
  private int ranges(SignedClient client) throws IOException {
    var answer = client.send(Target.feed("GET", "pkranges", "dbs/d/colls/" + container), "");
    assertEquals(200, answer.statusCode(), answer.body());
    String reached = "";
    var bounds = new TreeMap<String, String>();
    Matcher found = RANGE.matcher(answer.body());
    while (found.find()) {
      bounds.put(found.group(1), found.group(2));
    }
    for (var range : bounds.entrySet()) {
      assertEquals(reached, range.getKey(), answer.body());
      reached = range.getValue();
    }
    assertEquals("FF", reached, answer.body());
    return bounds.size();
  }

  /** The ids of all items as the feed gives them, in order. */
  private List<String> listed(SignedClient client) throws IOException {
    var ids = new ArrayList<String>();
    String[] more = {"x-ms-max-item-count", "50"};
    while (more.length > 0) {
      var answer = client.send(Target.feed("GET", "docs", "dbs/d/colls/" + container), "", more);
      assertEquals(200, answer.statusCode(), answer.body());
      ID.matcher(answer.body()).results().forEach(id -> ids.add(id.group(1)));
      more =
          answer
              .headers()
              .firstValue("x-ms-continuation")
              .map(at -> new String[] {"x-ms-max-item-count", "50", "x-ms-continuation", at})
              .orElse(new String[0]);
    }
    ids.sort(null);
    return ids;
  }

  /** What a storage holds, and what the catalog in it says that it should hold. */
  private record Held(Set<PartitionId> partitions, Set<PartitionId> named) {
    static Held in(Storage storage) {
      var partitions = new TreeSet<PartitionId>();
      partitions.addAll(storage.list());
      CatalogImage image = Catalog.open(storage).image();
      var named = new TreeSet<PartitionId>();
      named.add(Catalog.PARTITION);
      image
          .containers()
          .values()
          .forEach(c -> c.map().ranges().forEach(range -> named.add(range.partition())));
      return new Held(partitions, named);
    }
  }
}
