package io.orrery.routing;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sort keys as a continuation carries them. Short scalars are carried as they are. Anything else is
 * cut to a place before it in the order: the same place for all keys between that place and it, so
 * that counting the rows since the place suffices to find back.
 */
final class CutKeys {
  private static final int BYTES_MAX = 400;
  private static final int TEXT_POINTS_MAX = 60;
  private static final int TEXT_POINTS_MIN = 4;

  /** A control character is six bytes of JSON text; brackets, quotes and comma come on top. */
  private static final int POINT_BYTES = 6;

  private static final int FRAME_BYTES = 8;
  private static final int NUMBER_BYTES = 32;
  private static final String LEAST_CHARACTER = "\0";
  private static final String GREATEST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);
  private static final Value LEAST_ARRAY = new Value.Arr(List.of());
  private static final Value LEAST_OBJECT = new Value.Obj(Map.of());
  private static final Value ABSENT = LEAST_ARRAY;

  private CutKeys() {}

  /** Whether the keys are carried as they are. */
  static boolean isWhole(List<Value> keys) {
    return misfit(keys) == null;
  }

  /** The keys, or a place before them; empty when only the very beginning will do. */
  static List<Value> of(List<Value> keys, Comparator<List<Value>> order) {
    Misfit misfit = misfit(keys);
    return misfit == null ? keys : before(keys, misfit, order);
  }

  /** The first key that has no room, and the room there is. */
  private record Misfit(int at, int leftBytes) {}

  private static @Nullable Misfit misfit(List<Value> keys) {
    int left = BYTES_MAX;
    for (int i = 0; i < keys.size(); i++) {
      Value key = keys.get(i);
      if (!fits(key, left)) {
        return new Misfit(i, left);
      }
      left -= FRAME_BYTES + (key instanceof Value.Undefined ? 0 : Json.write(key).length);
    }
    return null;
  }

  private static boolean fits(Value key, int left) {
    return switch (key) {
      case Value.Arr _, Value.Obj _ -> false;
      case Value.Text(String text) -> text.codePointCount(0, text.length()) <= points(left);
      case Value.Undefined _, Value.Null _, Value.Bool _, Value.Num _ ->
          left >= FRAME_BYTES + NUMBER_BYTES;
    };
  }

  private static int points(int left) {
    return Math.min(TEXT_POINTS_MAX, (left - FRAME_BYTES) / POINT_BYTES);
  }

  /** Which candidate lies before the keys depends on the direction, which the order knows. */
  private static List<Value> before(
      List<Value> keys, Misfit misfit, Comparator<List<Value>> order) {
    for (Value candidate : candidates(keys.get(misfit.at), misfit.leftBytes)) {
      List<Value> place = new ArrayList<>(keys.subList(0, misfit.at));
      place.add(candidate);
      while (place.size() < keys.size()) {
        place.add(Value.UNDEFINED);
      }
      if (order.compare(place, keys) <= 0) {
        return place;
      }
    }
    return List.of();
  }

  private static List<Value> candidates(Value key, int left) {
    return switch (key) {
      case Value.Arr _ -> List.of(LEAST_ARRAY, LEAST_OBJECT);
      case Value.Obj _ -> List.of(LEAST_OBJECT);
      case Value.Text(String text) when points(left) >= TEXT_POINTS_MIN -> {
        String start = text.substring(0, text.offsetByCodePoints(0, points(left)));
        yield List.of(Value.of(start + LEAST_CHARACTER), Value.of(start + GREATEST_CHARACTER));
      }
      default -> List.of();
    };
  }

  /** Undefined cannot be written: it is an empty array, everything else an array of itself. */
  static Value write(List<Value> keys) {
    return new Value.Arr(
        keys.stream()
            .map(
                key ->
                    key instanceof Value.Undefined ? ABSENT : (Value) new Value.Arr(List.of(key)))
            .toList());
  }

  static List<Value> read(Value written) {
    List<Value> keys = new ArrayList<>();
    for (Value key : ((Value.Arr) written).items()) {
      List<Value> inside = ((Value.Arr) key).items();
      keys.add(inside.isEmpty() ? Value.UNDEFINED : inside.getFirst());
    }
    return keys;
  }
}
