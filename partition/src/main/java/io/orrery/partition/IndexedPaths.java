package io.orrery.partition;

import io.orrery.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which paths of an item an indexing policy makes terms of. The longer pattern decides, and an
 * exact one ({@code /?}) before a subtree ({@code /*}).
 */
public final class IndexedPaths {
  private static final String ELEMENTS = "[]";

  private final boolean indexed;
  private final Node root = new Node();

  private IndexedPaths(boolean indexed) {
    this.indexed = indexed;
  }

  /** The paths of a policy; none are indexed when {@code indexed} is false. */
  public static IndexedPaths of(boolean indexed, List<String> included, List<String> excluded) {
    var paths = new IndexedPaths(indexed);
    included.forEach(pattern -> paths.add(pattern, true));
    excluded.forEach(pattern -> paths.add(pattern, false));
    return paths;
  }

  /** How many terms the item has. */
  int terms(Value.Obj item) {
    return indexed ? count(item, root, false) : 0;
  }

  /** As visit, without naming paths: every write counts its terms. */
  private static int count(Value value, @Nullable Node node, boolean inherited) {
    boolean subtree = (node != null && node.subtree != null) ? node.subtree : inherited;
    return switch (value) {
      case Value.Obj(var members) -> {
        int sum = 0;
        for (var member : members.entrySet()) {
          sum += count(member.getValue(), child(node, member.getKey()), subtree);
        }
        yield sum;
      }
      case Value.Arr(var items) -> {
        Node elements = child(node, ELEMENTS);
        int sum = 0;
        for (Value item : items) {
          sum += count(item, elements, subtree);
        }
        yield sum;
      }
      case Value.Undefined u -> 0;
      case Value.Null n -> isIncluded(node, subtree) ? 1 : 0;
      case Value.Bool b -> isIncluded(node, subtree) ? 1 : 0;
      case Value.Num n -> isIncluded(node, subtree) ? 1 : 0;
      case Value.Text t -> isIncluded(node, subtree) ? 1 : 0;
    };
  }

  private static boolean isIncluded(@Nullable Node node, boolean subtree) {
    return (node != null && node.exact != null) ? node.exact : subtree;
  }

  /** How many terms must be removed and added to get from one version to the other. */
  int changedTerms(Value.Obj before, Value.Obj after) {
    var balance = new HashMap<Term, Integer>();
    visit(before, "", root, false, term -> balance.merge(term, -1, Integer::sum));
    visit(after, "", root, false, term -> balance.merge(term, 1, Integer::sum));
    return balance.values().stream().mapToInt(Math::abs).sum();
  }

  private record Term(String path, Value value) {}

  private interface Visitor {
    void term(Term term);
  }

  private void visit(
      Value value, String path, @Nullable Node node, boolean inherited, Visitor visitor) {
    if (!indexed) {
      return;
    }
    boolean subtree = (node != null && node.subtree != null) ? node.subtree : inherited;
    switch (value) {
      case Value.Obj(var members) ->
          members.forEach(
              (name, member) ->
                  visit(member, path + '/' + name, child(node, name), subtree, visitor));
      case Value.Arr(var items) -> {
        Node elements = child(node, ELEMENTS);
        for (Value item : items) {
          visit(item, path + '/' + ELEMENTS, elements, subtree, visitor);
        }
      }
      case Value.Undefined u -> {}
      case Value.Null n -> scalar(value, path, node, subtree, visitor);
      case Value.Bool b -> scalar(value, path, node, subtree, visitor);
      case Value.Num n -> scalar(value, path, node, subtree, visitor);
      case Value.Text t -> scalar(value, path, node, subtree, visitor);
    }
  }

  private static void scalar(
      Value value, String path, @Nullable Node node, boolean subtree, Visitor visitor) {
    if (isIncluded(node, subtree)) {
      visitor.term(new Term(path, value));
    }
  }

  private static @Nullable Node child(@Nullable Node node, String name) {
    return node == null ? null : node.children.get(name);
  }

  private void add(String pattern, boolean include) {
    List<String> segments = PathPattern.segments(pattern);
    Node node = root;
    for (String segment : segments.subList(0, segments.size() - 1)) {
      node = node.children.computeIfAbsent(segment, name -> new Node());
    }
    switch (segments.getLast()) {
      case "*" -> node.subtree = include;
      case "?" -> node.exact = include;
      default -> node.children.computeIfAbsent(segments.getLast(), n -> new Node()).exact = include;
    }
  }

  /** A place in the tree of patterns, and what they say of it. */
  private static final class Node {
    private final Map<String, Node> children = new HashMap<>();
    private @Nullable Boolean exact;
    private @Nullable Boolean subtree;
  }
}
