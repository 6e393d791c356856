package io.orrery.query.plan;

import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Query.Source;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads from the filter of a query which partition keys its rows can have. */
public final class KeyAnalysis {
  private final PartitionKeyDefinition definition;
  private final Parameters parameters;

  private KeyAnalysis(PartitionKeyDefinition definition, Parameters parameters) {
    this.definition = definition;
    this.parameters = parameters;
  }

  public static KeyFilter of(
      CompiledQuery query, Parameters parameters, PartitionKeyDefinition definition) {
    if (query.query().from() == null) {
      return new KeyFilter.Nothing();
    }
    if (definition.paths().stream().anyMatch(path -> isComputed(query, path))) {
      return new KeyFilter.Everything();
    }
    KeyAnalysis analysis = new KeyAnalysis(definition, parameters);
    return analysis.filter(analysis.boxes(query.query(), new LinkedHashSet<>()));
  }

  /** Whether a computed property hides the key's own, so that filters on it say nothing of keys. */
  private static boolean isComputed(CompiledQuery query, List<String> path) {
    return query.computed().queries().containsKey(path.getFirst());
  }

  /** What the query's filter and those of a subquery it reads from allow together. */
  private Boxes boxes(Query query, Set<String> roots) {
    Boxes inner = Boxes.any();
    Query.From from = query.from();
    if (from != null
        && from.sources().getFirst() instanceof Source.Whole(var first, var alias, _)) {
      switch (first) {
        case Query.Collection.Path(var root, var steps, _, _) -> {
          if (steps.isEmpty()) {
            roots.add(alias == null ? root : alias);
          }
        }
        case Query.Collection.Nested(var nested, _) -> {
          Set<String> nestedRoots = new LinkedHashSet<>();
          inner = boxes(nested, nestedRoots);
          if (alias != null && selectsRoot(nested, nestedRoots)) {
            roots.add(alias);
          }
        }
      }
    }
    Expression where = query.where();
    return where == null
        ? inner
        : inner.and(new FilterAnalysis(definition.paths(), roots, parameters).boxes(where));
  }

  private static boolean selectsRoot(Query query, Set<String> roots) {
    return query.groupBy().isEmpty()
        && switch (query.select().selection()) {
          case Query.Selection.Only(Expression.Reference(var name, _)) -> roots.contains(name);
          case Query.Selection.Star _ -> !roots.isEmpty();
          default -> false;
        };
  }

  private KeyFilter filter(Boxes boxes) {
    if (boxes.isNone()) {
      return new KeyFilter.Nothing();
    }
    int paths = definition.paths().size();
    Set<PartitionKey> keys = new LinkedHashSet<>();
    for (Boxes.Box box : boxes.all()) {
      int pinned = 0;
      while (pinned < paths && box.values(pinned) != null) {
        pinned++;
      }
      boolean enough = definition.hashing() == Hashing.MULTI_HASH ? pinned > 0 : pinned == paths;
      if (paths == 0 || !enough || !collect(box, pinned, keys)) {
        return new KeyFilter.Everything();
      }
    }
    return new KeyFilter.Keys(keys);
  }

  /** All combinations of the values; false when there are too many to be worth it. */
  private static boolean collect(Boxes.Box box, int pinned, Set<PartitionKey> keys) {
    List<List<KeyComponent>> prefixes = List.of(List.of());
    for (int i = 0; i < pinned; i++) {
      List<List<KeyComponent>> longer = new ArrayList<>();
      for (List<KeyComponent> prefix : prefixes) {
        for (Value value : box.pinned(i)) {
          List<KeyComponent> extended = new ArrayList<>(prefix);
          extended.add(component(value));
          longer.add(extended);
        }
      }
      if (longer.size() > Boxes.MAX_BOXES) {
        return false;
      }
      prefixes = longer;
    }
    prefixes.forEach(components -> keys.add(new PartitionKey(components)));
    return keys.size() <= Boxes.MAX_BOXES;
  }

  /** Arrays and objects are no keys; items that have one there are kept with those without. */
  private static KeyComponent component(Value value) {
    return switch (value) {
      case Value.Undefined _, Value.Arr _, Value.Obj _ -> KeyComponent.Undefined.UNDEFINED;
      case Value.Null _ -> KeyComponent.Null.NULL;
      case Value.Bool bool -> new KeyComponent.Bool(bool == Value.Bool.TRUE);
      // Adding zero turns negative zero, which hashes differently, into zero.
      case Value.Num number -> new KeyComponent.Num(number.asDouble() + 0.0);
      case Value.Text(String text) -> new KeyComponent.Text(text);
    };
  }
}
