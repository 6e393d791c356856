package io.orrery.operation;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values of every type of the house, made by looking at what its types are made of, so that none is
 * forgotten.
 */
final class Samples {
  /** These hold each other: one of them will do inside another. */
  private static final Set<Class<?>> ROOTS =
      Set.of(Operation.class, Operation.ItemOperation.class, Outcome.class);

  private Samples() {}

  /** Every record and enum below a sealed interface. */
  static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Samples::leaves)
        : Stream.of(type);
  }

  /** As many as it takes to have each kind of each component once. */
  static List<Object> of(Class<?> type) {
    if (type.isEnum()) {
      return List.of(type.getEnumConstants());
    }
    if (ROOTS.contains(type)) {
      return of(leaves(type).findFirst().orElseThrow());
    }
    if (type.isSealed()) {
      return leaves(type).flatMap(leaf -> of(leaf).stream()).toList();
    }
    return type.isRecord() ? records(type) : plain(type);
  }

  private static List<Object> records(Class<?> type) {
    var components = new ArrayList<List<@Nullable Object>>();
    var types = new ArrayList<Class<?>>();
    for (RecordComponent component : type.getRecordComponents()) {
      components.add(component(component));
      types.add(component.getType());
    }
    int count = components.stream().mapToInt(List::size).max().orElse(1);
    var samples = new ArrayList<Object>();
    for (int i = 0; i < count; i++) {
      int nth = i;
      samples.add(
          make(
              type,
              types.toArray(Class<?>[]::new),
              components.stream().map(values -> values.get(nth % values.size())).toArray()));
    }
    return samples;
  }

  private static List<@Nullable Object> component(RecordComponent component) {
    var values = new ArrayList<@Nullable Object>(generic(component.getGenericType()));
    if (isNullable(component.getAnnotatedType())) {
      values.add(null);
    }
    return values;
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }

  private static List<? extends Object> generic(Type type) {
    if (type instanceof ParameterizedType parameterized) {
      List<? extends Object> first = generic(parameterized.getActualTypeArguments()[0]);
      if (parameterized.getRawType() == List.class) {
        return List.of(new ArrayList<>(first), List.of());
      }
      if (parameterized.getRawType() == Set.class) {
        return List.of(new HashSet<>(first), Set.of());
      }
      var map = new HashMap<Object, Object>();
      first.forEach(
          key -> map.put(key, generic(parameterized.getActualTypeArguments()[1]).getFirst()));
      return List.of(map, Map.of());
    }
    return of((Class<?>) type);
  }

  private static List<Object> plain(Class<?> type) {
    return switch (type.getName()) {
      case "java.lang.String" -> List.of("", "text", "\u00e9\ud83d\ude00");
      case "boolean" -> List.of(false, true);
      case "int" -> List.of(0, Integer.MIN_VALUE);
      case "long", "java.lang.Long" -> List.of(0L, Long.MIN_VALUE);
      case "double" -> List.of(0.5, Double.NEGATIVE_INFINITY);
      case "java.time.Duration" -> List.of(Duration.ZERO, Duration.ofNanos(-1));
      case "io.orrery.operation.Bytes" -> List.of(Bytes.EMPTY, Bytes.utf8("{\"id\":\"1\"}"));
      case "io.orrery.operation.ItemRule" -> List.of(ItemRule.NONE);
      default -> throw new AssertionError("no sample of " + type + ": add one here");
    };
  }

  private static Object make(Class<?> type, Class<?>[] types, Object[] values) {
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException refused) {
      throw new LinkageError(type + " " + Arrays.toString(values), refused);
    }
  }
}
