package io.orrery.faults;

import io.orrery.faults.Disk.Change;
import io.orrery.faults.Disk.Name;
import io.orrery.faults.Disk.NameChange;
import io.orrery.faults.Disk.Node;
import io.orrery.faults.Journal.Call;
import io.orrery.faults.Journal.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a directory as a disk could hold it after the power went: all that was synced, and of the
 * rest what chance decides. POSIX promises no more, though most file systems do.
 */
final class PowerCut {
  private static final int SECTOR_BYTES = 512;
  private static final int PAGE_BYTES = 4096;
  private static final int FLIP_ONE_OF = 8;
  private static final int KEPT_PER_PAGE = 4;

  /** What becomes of changes that were not synced. */
  enum Fate {
    /** None of them reached the disk. */
    DROPPED,
    KEPT,
    /** The first ones, and a part of the next. */
    CUT,
    /** Any of them, page by page, in any order. */
    SCATTERED
  }

  private final Disk disk;
  private final RandomGenerator random;
  private final Map<Node, Map<String, Node>> names = new HashMap<>();
  private final Map<Node, byte[]> contents = new HashMap<>();
  private final List<byte[]> stale = new ArrayList<>();
  private final Map<Fate, Integer> fates = new TreeMap<>();
  private @Nullable Fate givenOfNames;
  private @Nullable Fate givenOfFiles;

  PowerCut(Disk disk, RandomGenerator random) {
    this.disk = disk;
    this.random = random;
  }

  /** Leaves less to chance: all names have one fate, and all files another. */
  PowerCut with(Fate ofNames, Fate ofFiles) {
    givenOfNames = ofNames;
    givenOfFiles = ofFiles;
    return this;
  }

  /** Replaces what is in the directory; says what was done. */
  String rebuild(Path directory) throws IOException {
    Folders.empty(directory);
    collectStale(disk.root());
    List<String> lost = chooseNames();
    write(directory, disk.root());
    return "lost %s of %d names, files %s".formatted(lost, disk.pendingNames().size(), fates);
  }

  private Fate chosen(@Nullable Fate given) {
    return given == null ? Fate.values()[random.nextInt(Fate.values().length)] : given;
  }

  /** Blocks of before can show through where a file was extended and not written. */
  private void collectStale(Node folder) {
    for (Node node : folder.syncedNames.values()) {
      if (node.folder) {
        collectStale(node);
      } else if (node.synced.size() > PAGE_BYTES) {
        stale.add(node.synced.toBytes());
      }
    }
  }

  private List<String> chooseNames() {
    Fate fate = chosen(givenOfNames);
    List<NameChange> pending = disk.pendingNames();
    int first = random.nextInt(pending.size() + 1);
    var lost = new ArrayList<String>();
    for (int i = 0; i < pending.size(); i++) {
      boolean kept =
          switch (fate) {
            case DROPPED -> false;
            case KEPT -> true;
            case CUT -> i < first;
            case SCATTERED -> random.nextBoolean();
          };
      if (kept) {
        pending.get(i).names().forEach(this::apply);
      } else {
        pending.get(i).names().forEach(name -> lost.add(name.toString()));
      }
    }
    return lost;
  }

  private void apply(Name name) {
    Map<String, Node> folder =
        names.computeIfAbsent(name.folder(), known -> new TreeMap<>(known.syncedNames));
    if (name.target() == null) {
      folder.remove(name.name());
    } else {
      folder.put(name.name(), name.target());
    }
  }

  private void write(Path path, Node folder) throws IOException {
    for (var entry : names.getOrDefault(folder, folder.syncedNames).entrySet()) {
      Path each = path.resolve(entry.getKey());
      Node node = entry.getValue();
      if (node.folder) {
        Folders.make(each);
        write(each, node);
      } else {
        boolean isLog = entry.getKey().endsWith(".log");
        // Two names of one file show the same.
        Files.write(each, contents.computeIfAbsent(node, file -> content(file, isLog)));
      }
    }
  }

  /**
   * @param isLog garbage and old blocks show through in logs only: file systems that let them do so
   *     are few, and the other files are not read to their last whole record
   */
  private byte[] content(Node file, boolean isLog) {
    Content content = file.synced.copy();
    if (file.pending.isEmpty()) {
      return content.toBytes();
    }
    Fate fate = chosen(givenOfFiles);
    fates.merge(fate, 1, Integer::sum);
    Content.Filler gap = isLog ? filler() : Content.Filler.ZEROS;
    switch (fate) {
      case DROPPED -> {}
      case KEPT -> file.pending.forEach(change -> Disk.apply(change.call(), content, gap));
      case CUT -> cut(file.pending, content, gap);
      case SCATTERED -> scatter(file.pending, content, gap, isLog);
    }
    int whole = file.now().length;
    if (fate != Fate.KEPT && whole > content.size() && random.nextInt(3) == 0) {
      content.resize(whole, gap); // the size came first
    }
    return content.toBytes();
  }

  private void cut(List<Change> changes, Content content, Content.Filler gap) {
    int kept = random.nextInt(changes.size());
    changes.subList(0, kept).forEach(change -> Disk.apply(change.call(), content, gap));
    Call next = changes.get(kept).call();
    if (next.kind() == Kind.WRITTEN) {
      int length = random.nextInt(next.first().length + 1);
      int end = random.nextBoolean() ? length : length / SECTOR_BYTES * SECTOR_BYTES;
      content.write(next.number(), next.first(), 0, end, gap);
    }
  }

  /** A page reaches the disk as it was at some moment: with the first of its changes. */
  private void scatter(List<Change> changes, Content content, Content.Filler gap, boolean flips) {
    var kept = new HashMap<Long, Integer>();
    for (Change change : changes) {
      Call call = change.call();
      if (call.kind() != Kind.WRITTEN) {
        continue; // sizes follow from what was written
      }
      byte[] bytes = call.first().clone();
      for (int begin = 0; begin < bytes.length; ) {
        long page = (call.number() + begin) / PAGE_BYTES;
        int end = (int) Math.min(bytes.length, (page + 1) * PAGE_BYTES - call.number());
        int left = kept.computeIfAbsent(page, unseen -> random.nextInt(KEPT_PER_PAGE));
        if (left > 0) {
          if (left == 1 && flips && random.nextInt(FLIP_ONE_OF) == 0) {
            bytes[random.nextInt(begin, end)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
          }
          content.write(call.number() + begin, bytes, begin, end, gap);
          kept.put(page, left - 1);
        }
        begin = end;
      }
    }
  }

  private Content.Filler filler() {
    return switch (random.nextInt(3)) {
      case 0 -> Content.Filler.ZEROS;
      case 1 -> this::fillWithGarbage;
      default -> stale.isEmpty() ? Content.Filler.ZEROS : this::fillWithStale;
    };
  }

  private void fillWithGarbage(byte[] bytes, int from, int to) {
    var garbage = new byte[to - from];
    random.nextBytes(garbage);
    System.arraycopy(garbage, 0, bytes, from, garbage.length);
  }

  /** Blocks keep their place within a page. */
  private void fillWithStale(byte[] bytes, int from, int to) {
    byte[] old = stale.get(random.nextInt(stale.size()));
    int page = random.nextInt(old.length / PAGE_BYTES) * PAGE_BYTES;
    for (int i = from; i < to; i++) {
      bytes[i] = old[(page + i % PAGE_BYTES) % old.length];
    }
  }
}
