package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All entries of one item in the index. */
public final class ItemTerms {
  /** Items with more are partly indexed. */
  static final int TERMS_MAX = 10_000;

  private static final byte[] OVERFLOW = new byte[TermWriter.HASH_BYTES];

  private final List<byte[]> terms = new ArrayList<>(32);
  private long[] countedPaths = new long[16];
  private int counted;
  private boolean overflow;
  private boolean outsideArrays;
  private boolean insideArrays;
  private final TermWriter writer = new TermWriter();

  private ItemTerms() {}

  /**
   * The terms of an item.
   *
   * @param content the item's own members; what the service adds is not looked at
   */
  public static ItemTerms of(Value.Obj content, long timestampSeconds, IndexPolicy policy) {
    var terms = new ItemTerms();
    terms.walk(content, timestampSeconds, policy, true, true);
    if (terms.overflow) {
      // Orders and counts need the paths outside arrays, and those are seldom too many.
      terms.terms.clear();
      terms.counted = 0;
      terms.overflow = false;
      terms.walk(content, timestampSeconds, policy, true, false);
      terms.walk(content, timestampSeconds, policy, false, true);
    }
    terms.finish();
    return terms;
  }

  private void walk(
      Value.Obj content,
      long timestampSeconds,
      IndexPolicy policy,
      boolean outsideArrays,
      boolean insideArrays) {
    this.outsideArrays = outsideArrays;
    this.insideArrays = insideArrays;
    if (outsideArrays) {
      for (CompositeIndex index : policy.composites()) {
        terms.add(index.term(content, timestampSeconds));
      }
      long timestamp = PathHash.child(PathHash.ROOT, SystemPaths.TIMESTAMP);
      add(timestamp, Value.of(timestampSeconds), true);
    }
    PatternTree tree = policy.tree();
    boolean subtree = PatternTree.subtree(tree, false);
    for (Map.Entry<String, Value> member : content.members().entrySet()) {
      String name = member.getKey();
      if (!SystemPaths.isAdded(name)) {
        long path = PathHash.child(PathHash.ROOT, name);
        boolean single = !name.equals(IndexPath.ELEMENTS);
        visit(member.getValue(), path, PatternTree.child(tree, name), subtree, single);
      }
    }
  }

  /** The term that marks an item of which only a part is indexed. */
  public static byte[] overflowTerm() {
    return OVERFLOW.clone();
  }

  /** Distinct and ascending. */
  public List<byte[]> terms() {
    return terms;
  }

  /** Whether there were too many terms: some are kept, those outside arrays first, and a mark. */
  public boolean overflow() {
    return overflow;
  }

  /** The hashes of the paths outside arrays that the item has a term for, each once. */
  public long[] countedPaths() {
    return countedPaths;
  }

  private void visit(
      Value value, long path, @Nullable PatternTree node, boolean inherited, boolean single) {
    if (overflow) {
      return;
    }
    boolean subtree = PatternTree.subtree(node, inherited);
    if (node == null && !subtree) {
      return; // nothing below is included
    }
    if ((single ? outsideArrays : insideArrays) && PatternTree.isIndexed(node, subtree)) {
      add(path, value, single);
    }
    switch (value) {
      case Value.Obj(var members) -> {
        for (Map.Entry<String, Value> member : members.entrySet()) {
          String name = member.getKey();
          visit(
              member.getValue(),
              PathHash.child(path, name),
              PatternTree.child(node, name),
              subtree,
              single && !name.equals(IndexPath.ELEMENTS));
        }
      }
      case Value.Arr(var items) -> {
        long elements = PathHash.child(path, IndexPath.ELEMENTS);
        PatternTree below = PatternTree.child(node, IndexPath.ELEMENTS);
        for (Value item : items) {
          visit(item, elements, below, subtree, false);
        }
      }
      case Value.Undefined _, Value.Null _, Value.Bool _, Value.Num _, Value.Text _ -> {}
    }
  }

  private void add(long path, Value value, boolean single) {
    if (terms.size() >= TERMS_MAX) {
      overflow = true;
      return;
    }
    terms.add(writer.again().hash(path).value(value).done());
    if (single) {
      if (counted == countedPaths.length) {
        countedPaths = Arrays.copyOf(countedPaths, counted * 2);
      }
      countedPaths[counted++] = path;
    }
  }

  private void finish() {
    if (overflow) {
      terms.add(OVERFLOW);
    }
    terms.sort(Arrays::compareUnsigned);
    int kept = 0;
    for (int i = 0; i < terms.size(); i++) {
      if (i == 0 || !Arrays.equals(terms.get(i), terms.get(i - 1))) {
        terms.set(kept++, terms.get(i));
      }
    }
    terms.subList(kept, terms.size()).clear();
    countedPaths = distinct(countedPaths, counted);
  }

  /**
   * An item counts once at a hash, also if a client chose names of members whose paths share it.
   */
  private static long[] distinct(long[] paths, int size) {
    Arrays.sort(paths, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || paths[i] != paths[i - 1]) {
        paths[kept++] = paths[i];
      }
    }
    return Arrays.copyOf(paths, kept);
  }
}
