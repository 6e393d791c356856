package io.orrery.fuzz;

import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON as bodies of requests are read. */
final class JsonTarget implements Target {

  @Override
  public void run(byte[] input) {
    byte[] text = Expansion.ofJson(input);
    Value value = parsed(text);
    Object reference = null;
    String refused = null;
    try {
      reference = StrictJson.parse(text);
    } catch (StrictJson.NotJson e) {
      refused = e.getMessage();
    }
    if (value == null) {
      Finding.unless(refused != null, "Json refuses what is JSON");
      return;
    }
    Finding.unless(refused == null, "Json takes what is none: " + refused);
    Finding.unless(sameNumbers(value, reference), "Json reads something else: " + value);
    byte[] written = Json.write(value);
    Finding.unlessEqual(value, Json.parse(written), "written and read again");
    Finding.unlessEqual(value, Json.parseStored(written), "written and read as stored");
    same(value, Json.parseWritten(written));
    Value raw = RawJson.of(written);
    Finding.unless(Arrays.equals(written, Json.write(raw)), "text written again differs");
    Finding.unlessEqual(value.hashCode(), raw.hashCode(), "hash of text and tree");
    Finding.unless(Arrays.equals(written, Json.write(value)), "writing is not repeatable");
  }

  private static @Nullable Value parsed(byte[] text) {
    try {
      return Json.parse(text);
    } catch (MalformedBody refused) {
      return null;
    }
  }

  /** Numbers with a fraction or exponent may be whole: the product may keep them as integers. */
  static boolean sameNumbers(Value value, @Nullable Object reference) {
    return same(Plain.of(value), reference);
  }

  static boolean same(@Nullable Object mine, @Nullable Object other) {
    if (mine instanceof Number a && other instanceof Number b) {
      return a.equals(b) || (a.doubleValue() == b.doubleValue() && isInexact(a, b));
    }
    if (mine instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      return a.size() == b.size()
          && a.entrySet().stream()
              .allMatch(e -> b.containsKey(e.getKey()) && same(e.getValue(), b.get(e.getKey())));
    }
    if (mine instanceof Iterable<?> a && other instanceof Iterable<?> b) {
      var left = a.iterator();
      var right = b.iterator();
      while (left.hasNext() && right.hasNext()) {
        if (!same(left.next(), right.next())) {
          return false;
        }
      }
      return left.hasNext() == right.hasNext();
    }
    return mine == null ? other == null : mine.equals(other);
  }

  private static boolean isInexact(Number a, Number b) {
    return !(a instanceof Long && b instanceof Long);
  }

  /** What is read lazily equals the tree, from either side, member by member. */
  private static void same(Value tree, Value raw) {
    Finding.unless(tree.equals(raw) && raw.equals(tree), "text and tree differ: " + tree);
    if (tree instanceof Value.Obj(var members) && raw instanceof Value.Obj(var lazy)) {
      Finding.unlessEqual(members.size(), lazy.size(), "members");
      members.forEach(
          (name, value) -> {
            Finding.unlessEqual(value, lazy.get(name), "member " + name);
            Finding.unless(lazy.containsKey(name), "no member " + name);
          });
    }
  }
}
