package io.orrery.faults;

import io.orrery.faults.Journal.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory as the process sees it and as the disk has it: of every file what is synced and what
 * was changed since, of every folder the same for its names.
 */
final class Disk {
  /** A file or folder; {@code pending} holds changes of a file that are not synced. */
  static final class Node {
    final boolean folder;
    final Content synced;
    final List<Change> pending = new ArrayList<>();
    final NavigableMap<String, Node> syncedNames = new TreeMap<>();
    final NavigableMap<String, Node> names = new TreeMap<>();

    Node(boolean folder, byte[] synced) {
      this.folder = folder;
      this.synced = new Content(synced);
    }

    /** What the process reads. */
    byte[] now() {
      Content content = synced.copy();
      pending.forEach(change -> apply(change.call(), content));
      return content.toBytes();
    }
  }

  /**
   * A change of a file's bytes or size.
   *
   * @param at how many calls stood before it
   */
  record Change(long at, Call call) {}

  /** A name that was given to a file in a folder, or taken away. */
  record Name(Node folder, String name, @Nullable Node target) {
    @Override
    public String toString() {
      return (target == null ? "-" : "+") + name;
    }
  }

  /** Names that change together; a rename takes one away and gives another. */
  record NameChange(long at, List<Name> names) {
    void applyToSynced() {
      for (Name name : names) {
        put(name.folder().syncedNames, name.name(), name.target());
      }
    }
  }

  private final Node root = new Node(true, new byte[0]);
  private final Map<Long, Node> byInode = new HashMap<>();
  private final List<NameChange> pendingNames = new ArrayList<>();
  private final Map<Journal.Kind, Integer> counts = new HashMap<>();
  private int syncedLogs;

  /** The directory before the process starts; all of it counts as synced. */
  static Disk load(Path directory) throws IOException {
    var disk = new Disk();
    disk.load(directory, disk.root);
    return disk;
  }

  private void load(Path path, Node into) throws IOException {
    byInode.put((Long) Files.getAttribute(path, "unix:ino"), into);
    if (!into.folder) {
      return;
    }
    try (var inside = Files.list(path)) {
      for (Path each : inside.toList()) {
        boolean folder = Files.isDirectory(each);
        // Hard links share a node.
        Node known = byInode.get((Long) Files.getAttribute(each, "unix:ino"));
        Node node =
            known == null
                ? new Node(folder, folder ? new byte[0] : Files.readAllBytes(each))
                : known;
        String name = each.getFileName().toString();
        into.names.put(name, node);
        into.syncedNames.put(name, node);
        load(each, node);
      }
    }
  }

  Node root() {
    return root;
  }

  List<NameChange> pendingNames() {
    return pendingNames;
  }

  /** How many calls of a kind were recorded. */
  int count(Journal.Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  /** How often a file whose name ends in {@code .log} was synced after bytes were added. */
  int syncedLogs() {
    return syncedLogs;
  }

  void replay(List<Call> calls) {
    for (int at = 0; at < calls.size(); at++) {
      replay(at, calls.get(at));
    }
  }

  private void replay(long at, Call call) {
    counts.merge(call.kind(), 1, Integer::sum);
    switch (call.kind()) {
      case CREATED -> {
        var made = new Node(call.directory(), new byte[0]);
        byInode.put(call.file(), made);
        change(at, List.of(name(call.path(), made)));
      }
      case RESIZED, WRITTEN, EXTENDED -> node(call).pending.add(new Change(at, call));
      case RENAMED ->
          change(at, List.of(name(call.path(), null), name(call.target(), found(call.path()))));
      case LINKED -> change(at, List.of(name(call.target(), found(call.path()))));
      case REMOVED -> change(at, List.of(name(call.path(), null)));
      case SYNCED -> sync(node(call), call.number());
      case UNKNOWN ->
          throw new IllegalStateException("The process did what is not recorded: " + call.path());
    }
  }

  private Node node(Call call) {
    return Objects.requireNonNull(byInode.get(call.file()), call::toString);
  }

  private Name name(String path, @Nullable Node target) {
    int slash = path.lastIndexOf('/');
    Node folder = slash < 0 ? root : found(path.substring(0, slash));
    return new Name(folder, path.substring(slash + 1), target);
  }

  private Node found(String path) {
    Node node = root;
    for (String name : path.split("/", -1)) {
      node = Objects.requireNonNull(node.names.get(name), path);
    }
    return node;
  }

  private void change(long at, List<Name> names) {
    names.forEach(name -> put(name.folder().names, name.name(), name.target()));
    pendingNames.add(new NameChange(at, names));
  }

  private static void put(Map<String, Node> names, String name, @Nullable Node target) {
    if (target == null) {
      names.remove(name);
    } else {
      names.put(name, target);
    }
  }

  private void sync(Node node, long before) {
    if (node.folder) {
      pendingNames.removeIf(
          change -> {
            boolean durable =
                change.at() < before
                    && change.names().stream().anyMatch(name -> name.folder() == node);
            if (durable) {
              change.applyToSynced();
            }
            return durable;
          });
      return;
    }
    syncedLogs += !node.pending.isEmpty() && isLog(root, node) ? 1 : 0;
    node.pending.removeIf(
        change -> {
          boolean durable = change.at() < before;
          if (durable) {
            apply(change.call(), node.synced);
          }
          return durable;
        });
  }

  private static boolean isLog(Node folder, Node file) {
    return folder.names.entrySet().stream()
        .anyMatch(
            entry ->
                entry.getValue().folder
                    ? isLog(entry.getValue(), file)
                    : entry.getValue() == file && entry.getKey().endsWith(".log"));
  }

  static void apply(Call call, Content content) {
    apply(call, content, Content.Filler.ZEROS);
  }

  static void apply(Call call, Content content, Content.Filler gap) {
    switch (call.kind()) {
      case WRITTEN -> content.write(call.number(), call.first(), 0, call.first().length, gap);
      case RESIZED -> content.resize(call.number(), gap);
      case EXTENDED -> content.resize(Math.max(content.size(), call.number()), gap);
      default -> throw new IllegalArgumentException("not a change of bytes: " + call);
    }
  }

  /** Where the directory is not what the journal says: something changed it unseen. */
  List<String> differences(Path directory) throws IOException {
    var found = new ArrayList<String>();
    compare(directory, root, found);
    return found;
  }

  private static void compare(Path path, Node node, List<String> found) throws IOException {
    if (!node.folder) {
      if (!Arrays.equals(node.now(), Files.readAllBytes(path))) {
        found.add(path + " has other bytes");
      }
      return;
    }
    try (var inside = Files.list(path)) {
      for (Path each : inside.sorted(Comparator.naturalOrder()).toList()) {
        if (!node.names.containsKey(each.getFileName().toString())) {
          found.add(each + " was made");
        }
      }
    }
    for (var entry : node.names.entrySet()) {
      Path each = path.resolve(entry.getKey());
      if (Files.exists(each)) {
        compare(each, entry.getValue(), found);
      } else {
        found.add(each + " is gone");
      }
    }
  }
}
