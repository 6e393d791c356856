package io.orrery.memory;

import io.orrery.storage.Entry;
import io.orrery.storage.Scan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable ordered map of bytes, a height-balanced tree: a change copies the path to it and
 * shares the rest, so every version stays readable at no cost.
 */
final class Tree {
  static final Tree EMPTY = new Tree(null);

  private final @Nullable Node root;

  private Tree(@Nullable Node root) {
    this.root = root;
  }

  boolean isEmpty() {
    return root == null;
  }

  byte @Nullable [] get(byte[] key) {
    Node node = root;
    while (node != null) {
      int order = Arrays.compareUnsigned(key, node.key);
      if (order == 0) {
        return node.value;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  Tree with(byte[] key, byte[] value) {
    return new Tree(put(root, key, value));
  }

  Tree with(Map<byte[], byte @Nullable []> changes) {
    Node changed = root;
    for (var change : changes.entrySet()) {
      byte[] value = change.getValue();
      changed =
          value == null ? delete(changed, change.getKey()) : put(changed, change.getKey(), value);
    }
    return new Tree(changed);
  }

  Stretch scan(Scan scan) {
    var stretch = new Stretch(scan);
    if (scan.backward()) {
      walkBackward(root, stretch);
    } else {
      walkForward(root, stretch);
    }
    return stretch;
  }

  /** The entries that a scan gathers, up to its bounds. */
  static final class Stretch {
    private final Scan scan;
    private final List<Entry> entries = new ArrayList<>();
    private long bytes;
    private boolean more;

    private Stretch(Scan scan) {
      this.scan = scan;
    }

    List<Entry> entries() {
      return entries;
    }

    boolean more() {
      return more;
    }

    private void offer(Node node) {
      if (!entries.isEmpty() && (entries.size() >= scan.maxEntries() || bytes >= scan.maxBytes())) {
        more = true;
        return;
      }
      entries.add(new Entry(node.key, node.value));
      bytes += node.key.length + node.value.length;
    }
  }

  private static void walkForward(@Nullable Node node, Stretch stretch) {
    if (node == null) {
      return;
    }
    boolean started = Arrays.compareUnsigned(node.key, stretch.scan.from()) >= 0;
    boolean ended = Arrays.compareUnsigned(node.key, stretch.scan.to()) >= 0;
    if (started) {
      walkForward(node.left, stretch);
    }
    if (started && !ended && !stretch.more) {
      stretch.offer(node);
    }
    if (!ended && !stretch.more) {
      walkForward(node.right, stretch);
    }
  }

  private static void walkBackward(@Nullable Node node, Stretch stretch) {
    if (node == null) {
      return;
    }
    boolean started = Arrays.compareUnsigned(node.key, stretch.scan.to()) < 0;
    boolean ended = Arrays.compareUnsigned(node.key, stretch.scan.from()) < 0;
    if (started) {
      walkBackward(node.right, stretch);
    }
    if (started && !ended && !stretch.more) {
      stretch.offer(node);
    }
    if (!ended && !stretch.more) {
      walkBackward(node.left, stretch);
    }
  }

  private static Node put(@Nullable Node node, byte[] key, byte[] value) {
    if (node == null) {
      return new Node(key, value, null, null);
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order == 0) {
      return new Node(key, value, node.left, node.right);
    }
    return order < 0
        ? balanced(node, put(node.left, key, value), node.right)
        : balanced(node, node.left, put(node.right, key, value));
  }

  private static @Nullable Node delete(@Nullable Node node, byte[] key) {
    if (node == null) {
      return null;
    }
    int order = Arrays.compareUnsigned(key, node.key);
    if (order < 0) {
      Node left = delete(node.left, key);
      return left == node.left ? node : balanced(node, left, node.right);
    }
    if (order > 0) {
      Node right = delete(node.right, key);
      return right == node.right ? node : balanced(node, node.left, right);
    }
    if (node.left == null || node.right == null) {
      return node.left == null ? node.right : node.left;
    }
    Node successor = first(node.right);
    return balanced(successor, node.left, withoutFirst(node.right));
  }

  private static Node first(Node node) {
    Node first = node;
    while (first.left != null) {
      first = first.left;
    }
    return first;
  }

  private static @Nullable Node withoutFirst(Node node) {
    return node.left == null ? node.right : balanced(node, withoutFirst(node.left), node.right);
  }

  /** The entry of {@code middle} over two trees whose heights differ by at most three. */
  private static Node balanced(Node middle, @Nullable Node left, @Nullable Node right) {
    if (left != null && left.height > height(right) + 2) {
      if (height(left.left) >= height(left.right) || left.right == null) {
        return over(left, left.left, over(middle, left.right, right));
      }
      Node top = left.right;
      return over(top, over(left, left.left, top.left), over(middle, top.right, right));
    }
    if (right != null && right.height > height(left) + 2) {
      if (height(right.right) >= height(right.left) || right.left == null) {
        return over(right, over(middle, left, right.left), right.right);
      }
      Node top = right.left;
      return over(top, over(middle, left, top.left), over(right, top.right, right.right));
    }
    return over(middle, left, right);
  }

  private static Node over(Node entry, @Nullable Node left, @Nullable Node right) {
    return new Node(entry.key, entry.value, left, right);
  }

  private static int height(@Nullable Node node) {
    return node == null ? 0 : node.height;
  }

  private static final class Node {
    private final byte[] key;
    private final byte[] value;
    private final @Nullable Node left;
    private final @Nullable Node right;
    private final int height;

    private Node(byte[] key, byte[] value, @Nullable Node left, @Nullable Node right) {
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = 1 + Math.max(height(left), height(right));
    }
  }
}
