package io.orrery.query.index;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Items with few names and values of all types, so that queries meet each other's corners. */
final class RandomItems {
  static final String LONG = "x".repeat(1200);
  private static final List<String> TEXTS =
      List.of(
          "x",
          "y",
          "xy",
          "",
          "x\0",
          "x\0y",
          "X",
          "é",
          "\uD83D\uDE00",
          "\uFFFD",
          "x".repeat(1000),
          LONG,
          LONG + "1",
          LONG + "2",
          "é".repeat(600));
  private static final List<Value> NUMBERS =
      List.of(
          Value.of(0),
          new Value.Float64(-0.0),
          Value.of(1),
          Value.of(2),
          Value.of(-1),
          new Value.Float64(1.5),
          new Value.Float64(-1.5),
          new Value.Float64(1.0),
          Value.of(1L << 53),
          Value.of((1L << 53) + 1),
          Value.of((1L << 53) + 2),
          new Value.Float64(0x1p53),
          Value.of(Long.MAX_VALUE),
          Value.of(Long.MIN_VALUE),
          new Value.Float64(0x1p63),
          new Value.Float64(1e300),
          new Value.Float64(Double.MIN_VALUE));

  private final Random random;

  RandomItems(Random random) {
    this.random = random;
  }

  List<Value.Obj> contents(int count) {
    List<Value.Obj> contents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, Value> members = new LinkedHashMap<>();
      members.put("id", Value.of("" + i));
      members.put("pk", value(3));
      for (String name : List.of("a", "b", "n", "s", "flag")) {
        maybe(members, name, value(1));
      }
      maybe(members, "s", Value.of(text()));
      maybe(members, "n", number());
      maybe(members, "o", object(1));
      maybe(members, "tags", array(1));
      maybe(members, "kids", random.nextInt(5) == 0 ? value(0) : kids());
      contents.add(new Value.Obj(members));
    }
    return contents;
  }

  private void maybe(Map<String, Value> members, String name, Value value) {
    if (random.nextInt(3) > 0) {
      members.put(name, value);
    }
  }

  private Value kids() {
    List<Value> kids = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      kids.add(random.nextInt(6) == 0 ? value(1) : object(1));
    }
    return new Value.Arr(kids);
  }

  private Value object(int depth) {
    Map<String, Value> members = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "tags", "[]", "o")) {
      if (random.nextInt(3) == 0) {
        members.put(name, name.equals("tags") ? array(depth - 1) : value(depth - 1));
      }
    }
    return new Value.Obj(members);
  }

  private Value array(int depth) {
    List<Value> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(value(depth - 1));
    }
    return new Value.Arr(items);
  }

  Value value(int depth) {
    return switch (random.nextInt(depth < 0 ? 8 : 10)) {
      case 0 -> Value.NULL;
      case 1 -> Value.TRUE;
      case 2 -> Value.FALSE;
      case 3, 4, 5 -> number();
      case 6, 7 -> Value.of(text());
      case 8 -> array(depth - 1);
      default -> object(depth - 1);
    };
  }

  private Value number() {
    return NUMBERS.get(random.nextInt(random.nextBoolean() ? 5 : NUMBERS.size()));
  }

  private String text() {
    return TEXTS.get(random.nextInt(random.nextBoolean() ? 4 : TEXTS.size()));
  }
}
