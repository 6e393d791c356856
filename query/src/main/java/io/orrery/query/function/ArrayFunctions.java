package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.lenient;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of arrays. */
final class ArrayFunctions {
  static final List<Function> ALL =
      List.of(
          strict("ARRAY_CONCAT", 2, UNBOUNDED, ArrayFunctions::concat),
          lenient("ARRAY_CONTAINS", 2, 3, ArrayFunctions::contains),
          lenient("ARRAY_CONTAINS_ALL", 2, UNBOUNDED, (a, work) -> containsEach(a, true, work)),
          lenient("ARRAY_CONTAINS_ANY", 2, UNBOUNDED, (a, work) -> containsEach(a, false, work)),
          strict("ARRAY_LENGTH", 1, ArrayFunctions::length),
          strict("ARRAY_SLICE", 2, 3, ArrayFunctions::slice),
          summary("ARRAY_AVG", (items, work) -> ofNumbers(items, true)),
          summary("ARRAY_SUM", (items, work) -> ofNumbers(items, false)),
          summary("ARRAY_MEDIAN", (items, work) -> median(items)),
          summary("ARRAY_MAX", (items, work) -> extreme(items, 1, work)),
          summary("ARRAY_MIN", (items, work) -> extreme(items, -1, work)),
          lenient("CHOOSE", 2, UNBOUNDED, ArrayFunctions::choose),
          strict("OBJECTTOARRAY", 1, 3, ArrayFunctions::pairs));

  private static final long PAIR_BYTES = 256;
  private static final long MEDIAN_BYTES = 24;

  private ArrayFunctions() {}

  private interface Summary {
    Value of(List<Value> items, Work work);
  }

  private static Function summary(String name, Summary summary) {
    return strict(
        name,
        1,
        (arguments, work) -> {
          if (!(arguments[0] instanceof Value.Arr(List<Value> items))) {
            return Value.UNDEFINED;
          }
          // The median takes a sorted copy.
          work.take(MEDIAN_BYTES * items.size());
          work.steps(items.size() >> 2);
          return summary.of(items, work);
        });
  }

  private static Value concat(Value[] arguments, Work work) {
    long count = 0;
    for (Value argument : arguments) {
      if (!(argument instanceof Value.Arr(List<Value> items))) {
        return Value.UNDEFINED;
      }
      count += items.size();
      work.read(argument, items.size());
    }
    work.items(count);
    List<Value> all = new ArrayList<>((int) count);
    for (Value argument : arguments) {
      int before = all.size();
      all.addAll(((Value.Arr) argument).items());
      work.readTexts(argument, all.subList(before, all.size()));
    }
    return new Value.Arr(all);
  }

  private static Value contains(Value[] arguments, Work work) {
    Value sought = arguments[1];
    if (!(arguments[0] instanceof Value.Arr(List<Value> items))
        || sought instanceof Value.Undefined) {
      return Value.UNDEFINED;
    }
    boolean partial = arguments.length > 2 && arguments[2].equals(Value.TRUE);
    for (Value item : items) {
      work.steps(1);
      if (partial ? includes(item, sought, work) : ValueOrder.equal(item, sought, work)) {
        return Value.TRUE;
      }
    }
    return Value.FALSE;
  }

  /** Every member sought is there with the same value; the item may have more. */
  private static boolean includes(Value item, Value sought, Work work) {
    if (item instanceof Value.Arr array && sought instanceof Value.Arr parts) {
      return includesItems(array, parts, work);
    }
    if (!(item instanceof Value.Obj(Map<String, Value> members))
        || !(sought instanceof Value.Obj(Map<String, Value> parts))) {
      return ValueOrder.equal(item, sought, work);
    }
    ValueOrder.read(sought, work);
    int walk = Work.walkSteps(item);
    for (Map.Entry<String, Value> part : parts.entrySet()) {
      work.steps(walk);
      Value member = members.get(part.getKey());
      if (member == null || !includes(member, part.getValue(), work)) {
        return false;
      }
    }
    return true;
  }

  /** As many elements, and each includes its counterpart. */
  private static boolean includesItems(Value.Arr array, Value.Arr sought, Work work) {
    ValueOrder.read(array, work);
    ValueOrder.read(sought, work);
    Iterator<Value> parts = sought.items().iterator();
    for (Value item : array.items()) {
      work.steps(1);
      if (!parts.hasNext() || !includes(item, parts.next(), work)) {
        return false;
      }
    }
    return !parts.hasNext();
  }

  private static Value containsEach(Value[] arguments, boolean all, Work work) {
    if (!(arguments[0] instanceof Value.Arr(List<Value> items))) {
      return Value.UNDEFINED;
    }
    Value result = Value.of(all);
    for (int i = 1; i < arguments.length; i++) {
      Value sought = arguments[i];
      if (sought instanceof Value.Undefined) {
        result = Value.UNDEFINED;
      } else if (has(items, sought, work) != all) {
        return Value.of(!all);
      }
    }
    return result;
  }

  private static boolean has(List<Value> items, Value sought, Work work) {
    for (Value item : items) {
      work.steps(1);
      if (ValueOrder.equal(item, sought, work)) {
        return true;
      }
    }
    return false;
  }

  private static Value length(Value[] arguments) {
    return arguments[0] instanceof Value.Arr(List<Value> items)
        ? Value.of(items.size())
        : Value.UNDEFINED;
  }

  /** A negative start counts from the end. */
  private static Value slice(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Arr(List<Value> items))
        || !(arguments[1] instanceof Value.Num start)) {
      return Value.UNDEFINED;
    }
    double length = items.size();
    if (arguments.length > 2) {
      if (!(arguments[2] instanceof Value.Num limit)) {
        return Value.UNDEFINED;
      }
      length = limit.asDouble();
    }
    double first = start.asDouble() < 0 ? items.size() + start.asDouble() : start.asDouble();
    int from = (int) Math.clamp(first, 0, items.size());
    int to = (int) Math.clamp(from + length, from, items.size());
    work.items(to - from);
    work.read(arguments[0], to - from);
    List<Value> slice = List.copyOf(items.subList(from, to));
    work.readTexts(arguments[0], slice);
    return new Value.Arr(slice);
  }

  private static Value ofNumbers(List<Value> items, boolean average) {
    double sum = 0;
    for (Value item : items) {
      if (!(item instanceof Value.Num number)) {
        return Value.UNDEFINED;
      }
      sum += number.asDouble();
    }
    if (!average) {
      return Operators.number(sum);
    }
    return items.isEmpty() ? Value.UNDEFINED : Operators.number(sum / items.size());
  }

  private static Value median(List<Value> items) {
    List<Double> numbers = new ArrayList<>(items.size());
    for (Value item : items) {
      if (!(item instanceof Value.Num number)) {
        return Value.UNDEFINED;
      }
      numbers.add(number.asDouble());
    }
    if (numbers.isEmpty()) {
      return Value.UNDEFINED;
    }
    Collections.sort(numbers);
    int middle = numbers.size() / 2;
    return Operators.number(
        numbers.size() % 2 == 1
            ? numbers.get(middle)
            : (numbers.get(middle - 1) + numbers.get(middle)) / 2);
  }

  private static Value extreme(List<Value> items, int sign, Work work) {
    Value extreme = Value.UNDEFINED;
    for (Value item : items) {
      if (item instanceof Value.Arr || item instanceof Value.Obj) {
        return Value.UNDEFINED;
      }
      work.pass(item);
      if (extreme instanceof Value.Undefined
          || sign * ValueOrder.ORDER.compare(item, extreme) > 0) {
        extreme = item;
      }
    }
    work.take(Sizes.partBytes(extreme));
    return extreme;
  }

  private static Value choose(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Num number)) {
      return Value.UNDEFINED;
    }
    double position = Math.floor(number.asDouble());
    return position >= 1 && position < arguments.length
        ? arguments[(int) position]
        : Value.UNDEFINED;
  }

  private static Value pairs(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Obj(Map<String, Value> members))) {
      return Value.UNDEFINED;
    }
    Value key = arguments.length > 1 ? arguments[1] : Value.of("k");
    Value value = arguments.length > 2 ? arguments[2] : Value.of("v");
    if (!(key instanceof Value.Text(String keyName))
        || !(value instanceof Value.Text(String valueName))) {
      return Value.UNDEFINED;
    }
    work.steps(Work.walkSteps(arguments[0]));
    work.items(members.size());
    work.take(PAIR_BYTES * members.size());
    List<Value> pairs = new ArrayList<>(members.size());
    members.forEach(
        (name, member) -> {
          Map<String, Value> pair = new LinkedHashMap<>();
          work.take(Sizes.textBytes(name.length()) + Sizes.partBytes(member));
          pair.put(keyName, Value.of(name));
          pair.put(valueName, member);
          pairs.add(new Value.Obj(pair));
        });
    return new Value.Arr(pairs);
  }
}
