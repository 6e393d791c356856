package io.orrery.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.faults.Journal.Call;
import io.orrery.faults.Journal.Kind;
import io.orrery.faults.PowerCut.Fate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk may look like after a cut, by calls that are made up. */
class PowerCutTest {
  private static final long ROOT_SYNCED = -1;
  private static final byte[] OLD = bytes("o".repeat(3_000));
  private static final byte[] NEW = bytes("n".repeat(9_000));

  @TempDir Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Call call(Kind kind, long file, long number, String first, String second) {
    return new Call(kind, false, file, number, bytes(first), bytes(second));
  }

  private static Call created(long file, String name) {
    return call(Kind.CREATED, file, 0, name, "");
  }

  private static Call written(long file, long offset, byte[] content) {
    return new Call(Kind.WRITTEN, false, file, offset, content, new byte[0]);
  }

  private static Call synced(long file, long before) {
    return call(Kind.SYNCED, file, before, "", "");
  }

  private Disk disk(Call... calls) throws IOException {
    Folders.empty(directory);
    Disk disk = Disk.load(directory);
    long root = (Long) Files.getAttribute(directory, "unix:ino");
    disk.replay(
        Arrays.stream(calls)
            .map(call -> call.file() == ROOT_SYNCED ? synced(root, call.number()) : call)
            .toList());
    return disk;
  }

  @Test
  void whatWasSyncedIsThereWithEverySeed() throws IOException {
    var sizes = new TreeSet<Long>();
    for (int seed = 0; seed < 300; seed++) {
      Disk disk =
          disk(
              created(1, "a.log"),
              written(1, 0, OLD),
              synced(1, 2),
              synced(ROOT_SYNCED, 3),
              written(1, OLD.length, NEW));
      new PowerCut(disk, new SplittableRandom(seed)).rebuild(directory);
      byte[] found = Files.readAllBytes(directory.resolve("a.log"));
      assertArrayEquals(OLD, Arrays.copyOf(found, OLD.length));
      sizes.add((long) found.length);
    }
    assertTrue(sizes.contains((long) OLD.length), "sometimes the rest is lost");
    assertTrue(sizes.contains((long) OLD.length + NEW.length), "sometimes it is kept");
    assertTrue(sizes.size() > 20, "and often it is cut: " + sizes);
  }

  @Test
  void syncCoversOnlyWhatCameBeforeItBegan() throws IOException {
    Disk disk =
        disk(
            created(1, "a"),
            synced(ROOT_SYNCED, 1),
            written(1, 0, OLD),
            written(1, OLD.length, NEW),
            synced(1, 3));
    new PowerCut(disk, new SplittableRandom(1)).with(Fate.KEPT, Fate.DROPPED).rebuild(directory);
    byte[] found = Files.readAllBytes(directory.resolve("a"));
    assertArrayEquals(OLD, Arrays.copyOf(found, OLD.length));
    assertFalse(Arrays.mismatch(found, OLD) == -1 && found.length == OLD.length + NEW.length);
  }

  @Test
  void renameWithoutASyncOfTheFolderIsUndone() throws IOException {
    Call[] calls = {
      created(1, "keys"),
      written(1, 0, OLD),
      synced(1, 2),
      synced(ROOT_SYNCED, 3),
      created(2, "keys.new"),
      written(2, 0, NEW),
      synced(2, 6),
      call(Kind.RENAMED, 0, 0, "keys.new", "keys")
    };
    new PowerCut(disk(calls), new SplittableRandom(1))
        .with(Fate.DROPPED, Fate.DROPPED)
        .rebuild(directory);
    assertArrayEquals(OLD, Files.readAllBytes(directory.resolve("keys")));
    assertFalse(Files.exists(directory.resolve("keys.new")));
    Call[] withSync = Arrays.copyOf(calls, calls.length + 1);
    withSync[calls.length] = synced(ROOT_SYNCED, calls.length);
    new PowerCut(disk(withSync), new SplittableRandom(1))
        .with(Fate.DROPPED, Fate.DROPPED)
        .rebuild(directory);
    assertArrayEquals(NEW, Files.readAllBytes(directory.resolve("keys")));
  }

  @Test
  void pagesReachTheDiskInAnyOrder() throws IOException {
    boolean holes = false;
    for (int seed = 0; seed < 100 && !holes; seed++) {
      Disk disk = disk(created(1, "a"), synced(ROOT_SYNCED, 1), written(1, 0, NEW));
      new PowerCut(disk, new SplittableRandom(seed))
          .with(Fate.KEPT, Fate.SCATTERED)
          .rebuild(directory);
      byte[] found = Files.readAllBytes(directory.resolve("a"));
      holes = found.length == NEW.length && found[0] == 0 && found[found.length - 1] == 'n';
    }
    assertTrue(holes, "a later page without the first one");
  }

  @Test
  void changeThatWasNotRecordedIsSeen() throws IOException {
    Disk disk = disk(created(1, "a"), written(1, 0, OLD));
    Files.write(directory.resolve("a"), OLD);
    assertEquals(List.of(), disk.differences(directory));
    Files.write(directory.resolve("a"), NEW);
    Files.createFile(directory.resolve("b"));
    assertEquals(2, disk.differences(directory).size());
  }
}
