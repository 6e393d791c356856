package io.orrery.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Patches as the service documents them, over plain maps and lists. */
final class PlainPatch {
  /** A step does not fit the item. */
  static final class DoesNotFit extends Exception {
    private static final long serialVersionUID = 1;

    DoesNotFit(String message) {
      super(message, null, false, false);
    }
  }

  private PlainPatch() {}

  /** The item after a patch that the product has read without complaint. */
  static Object applied(String item, byte[] patch) throws DoesNotFit {
    try {
      Object root = StrictJson.parse(item.getBytes(StandardCharsets.UTF_8));
      Object document = StrictJson.parse(patch);
      Object steps = document instanceof Map<?, ?> map ? map.get("operations") : document;
      for (Object step : (List<?>) Objects.requireNonNull(steps)) {
        root = step(root, (Map<?, ?>) Objects.requireNonNull(step));
      }
      return Objects.requireNonNull(root);
    } catch (StrictJson.NotJson e) {
      throw new Finding("A patch is no JSON: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object step(@Nullable Object root, Map<?, ?> step) throws DoesNotFit {
    List<String> path = path(step.get("path"));
    Object value = step.get("value");
    String kind = String.valueOf(step.get("op")).toLowerCase(Locale.ROOT);
    return switch (kind) {
      case "add" -> changed(root, path, holder -> add(holder, last(path), value));
      case "set" -> changed(root, path, holder -> set(holder, last(path), value));
      case "replace" -> changed(root, path, holder -> replace(holder, last(path), value));
      case "remove" -> changed(root, path, holder -> remove(holder, last(path)));
      case "incr", "increment" ->
          changed(root, path, holder -> increment(holder, last(path), (Number) value));
      case "move" -> {
        List<String> from = path(step.get("from"));
        if (path.size() > from.size() && path.subList(0, from.size()).equals(from)) {
          throw new DoesNotFit("into itself");
        }
        Object moved = at(root, from);
        Object without = changed(root, from, holder -> remove(holder, last(from)));
        yield changed(without, path, holder -> add(holder, last(path), moved));
      }
      default -> throw new Finding("The product knows the step " + kind);
    };
  }

  private static List<String> path(@Nullable Object text) {
    var names = new ArrayList<String>();
    String rest = String.valueOf(text).substring(1);
    for (String name : rest.split("/", -1)) {
      names.add(name.replace("~1", "/").replace("~0", "~"));
    }
    return names;
  }

  private static String last(List<String> path) {
    return path.getLast();
  }

  /** Changes what holds the last name of a path. */
  private interface Change {
    void in(Object holder) throws DoesNotFit;
  }

  private static @Nullable Object changed(@Nullable Object root, List<String> path, Change change)
      throws DoesNotFit {
    Object holder = at(root, path.subList(0, path.size() - 1));
    if (!(holder instanceof Map) && !(holder instanceof List)) {
      throw new DoesNotFit("nothing holds " + path);
    }
    change.in(holder);
    return root;
  }

  private static @Nullable Object at(@Nullable Object root, List<String> path) throws DoesNotFit {
    Object value = root;
    for (String name : path) {
      value =
          switch (value) {
            case Map<?, ?> map when map.containsKey(name) -> map.get(name);
            case List<?> list -> list.get(position(list, name, list.size() - 1));
            case null, default -> throw new DoesNotFit("nothing at " + name);
          };
    }
    return value;
  }

  private static int position(List<?> list, String name, int most) throws DoesNotFit {
    if (!name.matches("[0-9]{1,9}") || Integer.parseInt(name) > most) {
      throw new DoesNotFit("no place " + name + " among " + list.size());
    }
    return Integer.parseInt(name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> map(Object holder) {
    return (LinkedHashMap<String, @Nullable Object>) holder;
  }

  @SuppressWarnings("unchecked")
  private static List<@Nullable Object> list(Object holder) {
    return (ArrayList<@Nullable Object>) holder;
  }

  private static int end(Object holder, String name) throws DoesNotFit {
    List<?> list = list(holder);
    return name.equals("-") ? list.size() : position(list, name, list.size());
  }

  private static void add(Object holder, String name, @Nullable Object value) throws DoesNotFit {
    if (holder instanceof Map) {
      map(holder).put(name, value);
    } else {
      list(holder).add(end(holder, name), value);
    }
  }

  private static void set(Object holder, String name, @Nullable Object value) throws DoesNotFit {
    if (holder instanceof List<?> list && end(holder, name) < list.size()) {
      list(holder).set(end(holder, name), value);
    } else {
      add(holder, name, value);
    }
  }

  private static void replace(Object holder, String name, @Nullable Object value)
      throws DoesNotFit {
    var _ = at(holder, List.of(name));
    if (holder instanceof Map) {
      map(holder).put(name, value);
    } else {
      list(holder).set(Integer.parseInt(name), value);
    }
  }

  private static void remove(Object holder, String name) throws DoesNotFit {
    var _ = at(holder, List.of(name));
    if (holder instanceof Map) {
      map(holder).remove(name);
    } else {
      list(holder).remove(Integer.parseInt(name));
    }
  }

  private static void increment(Object holder, String name, @Nullable Number by) throws DoesNotFit {
    boolean isNew = holder instanceof Map<?, ?> map && !map.containsKey(name);
    Object present = isNew ? Long.valueOf(0) : at(holder, List.of(name));
    if (!(present instanceof Number number) || by == null) {
      throw new DoesNotFit("no number");
    }
    Number sum = sum(number, by);
    if (holder instanceof Map) {
      map(holder).put(name, sum);
    } else {
      list(holder).set(Integer.parseInt(name), sum);
    }
  }

  private static Number sum(Number left, Number right) throws DoesNotFit {
    if (left instanceof Long && right instanceof Long) {
      try {
        return Math.addExact(left.longValue(), right.longValue());
      } catch (ArithmeticException overflow) {
        return left.doubleValue() + right.doubleValue();
      }
    }
    double sum = left.doubleValue() + right.doubleValue();
    if (Double.isInfinite(sum)) {
      throw new DoesNotFit("too large");
    }
    return sum;
  }
}
