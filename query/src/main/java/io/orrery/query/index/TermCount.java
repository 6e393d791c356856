package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The terms that requests are charged for: one per scalar that the patterns include. */
final class TermCount {
  private record Term(long path, Value value) {}

  private TermCount() {}

  static int terms(Value.Obj item, PatternTree tree) {
    return count(item, tree, false);
  }

  /** As visit, without naming paths: every write counts its terms. */
  private static int count(Value value, @Nullable PatternTree node, boolean inherited) {
    boolean subtree = PatternTree.subtree(node, inherited);
    return switch (value) {
      case Value.Obj(var members) -> {
        int sum = 0;
        for (Map.Entry<String, Value> member : members.entrySet()) {
          sum += count(member.getValue(), PatternTree.child(node, member.getKey()), subtree);
        }
        yield sum;
      }
      case Value.Arr(var items) -> {
        PatternTree elements = PatternTree.child(node, IndexPath.ELEMENTS);
        int sum = 0;
        for (Value item : items) {
          sum += count(item, elements, subtree);
        }
        yield sum;
      }
      case Value.Undefined _ -> 0;
      case Value.Null _, Value.Bool _, Value.Num _, Value.Text _ ->
          PatternTree.isIncluded(node, subtree) ? 1 : 0;
    };
  }

  static int changed(Value.Obj before, Value.Obj after, PatternTree tree) {
    var balance = new HashMap<Term, Integer>();
    visit(before, PathHash.ROOT, tree, false, term -> balance.merge(term, -1, Integer::sum));
    visit(after, PathHash.ROOT, tree, false, term -> balance.merge(term, 1, Integer::sum));
    return balance.values().stream().mapToInt(Math::abs).sum();
  }

  private static void visit(
      Value value,
      long path,
      @Nullable PatternTree node,
      boolean inherited,
      Consumer<Term> visitor) {
    boolean subtree = PatternTree.subtree(node, inherited);
    switch (value) {
      case Value.Obj(var members) ->
          members.forEach(
              (name, member) ->
                  visit(
                      member,
                      PathHash.child(path, name),
                      PatternTree.child(node, name),
                      subtree,
                      visitor));
      case Value.Arr(var items) -> {
        PatternTree elements = PatternTree.child(node, IndexPath.ELEMENTS);
        long below = PathHash.child(path, IndexPath.ELEMENTS);
        items.forEach(item -> visit(item, below, elements, subtree, visitor));
      }
      case Value.Undefined _ -> {}
      case Value.Null _, Value.Bool _, Value.Num _, Value.Text _ -> {
        if (PatternTree.isIncluded(node, subtree)) {
          visitor.accept(new Term(path, value));
        }
      }
    }
  }
}
