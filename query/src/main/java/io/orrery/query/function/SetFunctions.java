package io.orrery.query.function;

import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Arrays as sets: duplicates fall away, the first occurrence keeps its place. */
final class SetFunctions {
  static final List<Function> ALL =
      List.of(
          // The live service keeps the order of the second array, see the sample setintersect.
          of(
              "SETINTERSECT",
              (a, b) -> {
                b.retainAll(a);
                return array(b);
              }),
          of(
              "SETUNION",
              (a, b) -> {
                a.addAll(b);
                return array(a);
              }),
          of(
              "SETDIFFERENCE",
              (a, b) -> {
                a.removeAll(b);
                return array(a);
              }),
          of("SETEQUAL", (a, b) -> Value.of(a.equals(b))));

  private static final long ENTRY_BYTES = 96;

  private SetFunctions() {}

  private interface OfSets {
    Value apply(Set<ValueKey> left, Set<ValueKey> right);
  }

  private static Function of(String name, OfSets body) {
    return strict(
        name,
        2,
        (arguments, work) ->
            arguments[0] instanceof Value.Arr(List<Value> a)
                    && arguments[1] instanceof Value.Arr(List<Value> b)
                ? body.apply(set(arguments[0], a, work), set(arguments[1], b, work))
                : Value.UNDEFINED);
  }

  private static Set<ValueKey> set(Value array, List<Value> items, Work work) {
    // An entry of the set, and its place in the array that is made of it.
    work.take(ENTRY_BYTES * items.size());
    work.read(array, items.size());
    Set<ValueKey> set = LinkedHashSet.newLinkedHashSet(items.size());
    for (Value item : items) {
      work.steps(1);
      work.pass(item);
      set.add(new ValueKey(item, work));
    }
    work.readTexts(array, set.stream().map(ValueKey::value).toList());
    return set;
  }

  private static Value array(Set<ValueKey> set) {
    return new Value.Arr(set.stream().map(ValueKey::value).toList());
  }
}
