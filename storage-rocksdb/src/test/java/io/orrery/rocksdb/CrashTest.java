package io.orrery.rocksdb;

import static io.orrery.storage.Given.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.storage.Given;
import io.orrery.storage.PartitionId;
import io.orrery.storage.Scan;
import io.orrery.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a writing process, or gives it a disk that is full, and looks at what is left. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class CrashTest {
  @TempDir Path directory;

  /** What a child said before it ended, by partition. */
  private record Said(
      Map<Long, Long> tried,
      Map<Long, Long> acknowledged,
      Set<Long> loaded,
      Set<Long> dropping,
      Set<Long> dropped) {
    private Said() {
      this(new HashMap<>(), new HashMap<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
    }
  }

  @Test
  void everyAcknowledgedCommitSurvivesAKill() throws Exception {
    var random = Given.random("everyAcknowledgedCommitSurvivesAKill");
    int rounds = Integer.getInteger("crash.rounds", 3);
    for (int round = 0; round < rounds; round++) {
      var child = start(random.nextLong(), Integer.MAX_VALUE, List.of());
      var said = new Said();
      int lines = 1 + random.nextInt(2_000);
      for (int i = 0; i < lines; i++) {
        listen(said, child.inputReader().readLine());
      }
      killSoon(child, random);
      child.inputReader().lines().forEach(line -> listen(said, line));
      child.waitFor(); // only now is its lock gone
      try (var storage = RocksStorage.open(RocksConfig.in(directory))) {
        check(storage, said);
      }
    }
  }

  /** Lets some time pass while the child's output is read, as it would stand still otherwise. */
  private static void killSoon(Process child, Random random) {
    var handle = child.toHandle(); // unlike the process, it leaves the output open
    CompletableFuture.delayedExecutor(random.nextInt(50), TimeUnit.MILLISECONDS)
        .execute(handle::destroyForcibly);
  }

  @Test
  void everyAnswerIsTrueOnADiskThatIsFull() throws Exception {
    var shell = Path.of("/bin/bash").toFile();
    Assumptions.assumeTrue(shell.canExecute(), "needs bash");
    assertEquals(0, start(0, 0, List.of()).waitFor()); // unpacks the library, a large file
    var random = Given.random("everyAnswerIsTrueOnADiskThatIsFull");
    // No file may grow beyond 1 MB: each log ends in the middle of a write.
    var limit = List.of("/bin/bash", "-c", "ulimit -f 1024; exec \"$@\"", "bash");
    var child = start(random.nextLong(), 400, limit);
    var said = new Said();
    var failed = new ArrayList<String>();
    for (var line : child.inputReader().lines().toList()) {
      listen(said, line);
      if (line.startsWith("F")) {
        failed.add(line);
      }
    }
    assertEquals(0, child.waitFor());
    assertFalse(failed.isEmpty(), "no write failed");
    try (var storage = RocksStorage.open(RocksConfig.in(directory))) {
      check(storage, said);
      for (long id = 0; id < CrashChild.WRITERS; id++) {
        var head = storage.open(new PartitionId(id)).get(bytes("key0")).head();
        assertEquals(said.acknowledged().get(id), head == null ? 0 : head.version());
      }
    }
  }

  private Process start(long seed, int commits, List<String> wrapper) throws IOException {
    var command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData", "-Xmx256m", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(CrashChild.class.getName());
    command.addAll(List.of(directory.toString(), Long.toString(seed), Integer.toString(commits)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void listen(Said said, @Nullable String line) {
    var words = String.valueOf(line).split(" ", -1);
    if (words.length != 3) {
      throw new AssertionError("Child ended or stammers: " + line);
    }
    long id = Long.parseLong(words[1]);
    long version = Long.parseLong(words[2]);
    switch (words[0]) {
      case "T" -> said.tried().put(id, version);
      case "A" -> said.acknowledged().put(id, version);
      case "F" -> {}
      case "L" -> said.loaded().add(id);
      case "X" -> said.dropping().add(id);
      case "D" -> said.dropped().add(id);
      default -> throw new AssertionError("Child stammers: " + line);
    }
  }

  private static void check(Storage storage, Said said) {
    var listed = new HashSet<>(storage.list());
    for (long id = 0; id < CrashChild.WRITERS; id++) {
      checkWriter(storage, new PartitionId(id), said);
    }
    for (long id : said.loaded()) {
      var partition = new PartitionId(id);
      assertTrue(said.dropping().contains(id) || listed.contains(partition), "lost " + id);
    }
    for (long id : said.dropped()) {
      assertFalse(listed.contains(new PartitionId(id)), "came back: " + id);
    }
    for (var id : listed) {
      if (id.value() < CrashChild.WRITERS) {
        continue;
      }
      try (var snapshot = storage.open(id).snapshot()) {
        int entries = snapshot.scan(Scan.forward(bytes("0"), bytes("9"))).entries().size();
        assertEquals(snapshot.head() == null ? 0 : CrashChild.LOADED_KEYS, entries);
      }
    }
  }

  private static void checkWriter(Storage storage, PartitionId id, Said said) {
    try (var snapshot = storage.open(id).snapshot()) {
      var head = snapshot.head();
      long version = head == null ? 0 : head.version();
      long acknowledged = said.acknowledged().getOrDefault(id.value(), 0L);
      long tried = said.tried().getOrDefault(id.value(), version);
      assertTrue(version >= acknowledged, id + " lost " + acknowledged + ", has " + version);
      assertTrue(version <= tried, id + " has " + version + ", only tried " + tried);
      if (head == null) {
        return;
      }
      for (int k = 0; k < CrashChild.KEYS; k++) {
        var value = Given.text(snapshot.get(bytes("key" + k)).value());
        assertEquals(Long.toString(version), value, id + " is torn");
      }
      var all =
          Scan.forward(CrashChild.history(0), CrashChild.history(Long.MAX_VALUE))
              .atMost(Integer.MAX_VALUE)
              .atMostBytes(Integer.MAX_VALUE);
      var history = snapshot.scan(all).entries();
      assertEquals(version, history.size());
      var last = new String(history.getLast().value(), StandardCharsets.UTF_8);
      assertEquals(head.commitId().toString(), last);
    }
  }
}
