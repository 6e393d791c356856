package io.orrery.value;

import io.orrery.operation.Body;
import io.orrery.operation.Patch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Applies patches to items, step by step; a step that does not fit refuses the whole patch. */
public final class Patches {
  private static final String END_OF_ARRAY = "-";

  private Patches() {}

  /**
   * The item after all steps.
   *
   * @throws MalformedBody when a step names a place that is not there or holds the wrong type
   */
  public static Value.Obj apply(Value.Obj item, Patch patch) {
    Value.Obj result = item;
    for (Patch.Step step : patch.steps()) {
      result = apply(result, step);
    }
    return result;
  }

  private static Value.Obj apply(Value.Obj item, Patch.Step step) {
    return switch (step) {
      case Patch.Add(var path, var value) -> add("Add", item, path, parse(value));
      case Patch.Set(var path, var value) -> set(item, path, parse(value));
      case Patch.Replace(var path, var value) -> replace(item, path, parse(value));
      case Patch.Remove(var path) -> remove("Remove", item, path);
      case Patch.Increment(var path, var by) -> increment(item, path, parse(by));
      case Patch.Move(var path, var from) -> move(item, path, from);
    };
  }

  private static Value parse(Body body) {
    return Json.parse(body.bytes().array());
  }

  private static Value.Obj add(String operation, Value.Obj item, Patch.Path path, Value value) {
    return edit(
        operation,
        item,
        path,
        new Edit() {
          @Override
          public void object(Map<String, Value> members, String name) {
            members.put(name, value);
          }

          @Override
          public void array(List<Value> items, String position) {
            items.add(insertionPoint(operation, items, position), value);
          }
        });
  }

  private static Value.Obj set(Value.Obj item, Patch.Path path, Value value) {
    return edit(
        "Set",
        item,
        path,
        new Edit() {
          @Override
          public void object(Map<String, Value> members, String name) {
            members.put(name, value);
          }

          @Override
          public void array(List<Value> items, String position) {
            int at = insertionPoint("Set", items, position);
            if (at == items.size()) {
              items.add(value);
            } else {
              items.set(at, value);
            }
          }
        });
  }

  private static Value.Obj replace(Value.Obj item, Patch.Path path, Value value) {
    return edit(
        "Replace",
        item,
        path,
        new Edit() {
          @Override
          public void object(Map<String, Value> members, String name) {
            if (members.replace(name, value) == null) {
              throw missing("Replace", name);
            }
          }

          @Override
          public void array(List<Value> items, String position) {
            items.set(existing("Replace", items, position), value);
          }
        });
  }

  private static Value.Obj remove(String operation, Value.Obj item, Patch.Path path) {
    return edit(
        operation,
        item,
        path,
        new Edit() {
          @Override
          public void object(Map<String, Value> members, String name) {
            if (members.remove(name) == null) {
              throw missing(operation, name);
            }
          }

          @Override
          public void array(List<Value> items, String position) {
            items.remove(existing(operation, items, position));
          }
        });
  }

  private static Value.Obj increment(Value.Obj item, Patch.Path path, Value by) {
    if (!(by instanceof Value.Num step)) {
      throw new MalformedBody("For Increment Operation, the value must be a number");
    }
    return edit(
        "Increment",
        item,
        path,
        new Edit() {
          @Override
          public void object(Map<String, Value> members, String name) {
            members.put(name, sum(members.getOrDefault(name, Value.of(0)), step));
          }

          @Override
          public void array(List<Value> items, String position) {
            int at = existing("Increment", items, position);
            items.set(at, sum(items.get(at), step));
          }
        });
  }

  private static Value sum(Value present, Value.Num step) {
    if (!(present instanceof Value.Num number)) {
      throw new MalformedBody("For Increment Operation, the target must be a number");
    }
    if (number instanceof Value.Int64(long a) && step instanceof Value.Int64(long b)) {
      long sum = a + b;
      boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
      if (!overflow) {
        return new Value.Int64(sum);
      }
    }
    double sum = number.asDouble() + step.asDouble();
    if (Double.isInfinite(sum)) {
      throw new MalformedBody("For Increment Operation, the result is out of range");
    }
    return Value.of(sum);
  }

  private static Value.Obj move(Value.Obj item, Patch.Path path, Patch.Path from) {
    List<String> target = path.segments();
    List<String> source = from.segments();
    if (target.size() > source.size() && target.subList(0, source.size()).equals(source)) {
      throw new MalformedBody("For Move Operation, the path cannot lie inside 'from'");
    }
    Value moved = at(item, from);
    return add("Move", remove("Move", item, from), path, moved);
  }

  private static Value at(Value.Obj item, Patch.Path path) {
    Value value = item;
    for (String segment : path.segments()) {
      value =
          switch (value) {
            case Value.Obj(var members) when members.containsKey(segment) ->
                members.getOrDefault(segment, Value.UNDEFINED);
            case Value.Arr(var items) -> items.get(existing("Move", items, segment));
            case Value.Obj object -> throw missing("Move", segment);
            case Value.Undefined u -> throw missing("Move", segment);
            case Value.Null n -> throw missing("Move", segment);
            case Value.Bool b -> throw missing("Move", segment);
            case Value.Num n -> throw missing("Move", segment);
            case Value.Text t -> throw missing("Move", segment);
          };
    }
    return value;
  }

  /** A change of one member or element, made on a copy of what holds it. */
  private interface Edit {
    void object(Map<String, Value> members, String name);

    void array(List<Value> items, String position);
  }

  private static Value.Obj edit(String operation, Value.Obj item, Patch.Path path, Edit edit) {
    if (path.segments().isEmpty()) {
      throw new MalformedBody("For " + operation + " Operation, the path cannot be empty");
    }
    return (Value.Obj) edit(operation, item, path.segments(), edit);
  }

  private static Value edit(String operation, Value holder, List<String> path, Edit edit) {
    String segment = path.getFirst();
    List<String> rest = path.subList(1, path.size());
    return switch (holder) {
      case Value.Obj(var members) -> {
        var copy = new LinkedHashMap<>(members);
        if (rest.isEmpty()) {
          edit.object(copy, segment);
        } else {
          Value child = copy.get(segment);
          if (child == null) {
            throw missing(operation, segment);
          }
          copy.put(segment, edit(operation, child, rest, edit));
        }
        yield new Value.Obj(copy);
      }
      case Value.Arr(var items) -> {
        var copy = new ArrayList<>(items);
        if (rest.isEmpty()) {
          edit.array(copy, segment);
        } else {
          int at = existing(operation, copy, segment);
          copy.set(at, edit(operation, copy.get(at), rest, edit));
        }
        yield new Value.Arr(copy);
      }
      case Value.Undefined u -> throw missing(operation, segment);
      case Value.Null n -> throw missing(operation, segment);
      case Value.Bool b -> throw missing(operation, segment);
      case Value.Num n -> throw missing(operation, segment);
      case Value.Text t -> throw missing(operation, segment);
    };
  }

  private static int insertionPoint(String operation, List<Value> items, String position) {
    int at = position.equals(END_OF_ARRAY) ? items.size() : parsePosition(operation, position);
    if (at > items.size()) {
      throw missing(operation, position);
    }
    return at;
  }

  private static int existing(String operation, List<Value> items, String position) {
    int at = parsePosition(operation, position);
    if (at >= items.size()) {
      throw missing(operation, position);
    }
    return at;
  }

  private static int parsePosition(String operation, String position) {
    boolean digits = !position.isEmpty() && position.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || position.length() > 9) {
      throw missing(operation, position);
    }
    return Integer.parseInt(position);
  }

  private static MalformedBody missing(String operation, String segment) {
    return new MalformedBody(
        "For " + operation + " Operation, Target Path should exist: nothing at '" + segment + "'");
  }
}
