package io.orrery.query;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Test data beside the tests, one JSON value per line or per file. */
public final class Cases {
  private Cases() {}

  public static List<Value.Obj> lines(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8)
        .lines()
        .map(line -> (Value.Obj) Json.parse(line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  static Value.Obj object(String name) {
    return (Value.Obj) Json.parse(bytes(name));
  }

  static Value value(String json) {
    return Json.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  public static Value member(Value.Obj of, String name) {
    return of.members().getOrDefault(name, Value.UNDEFINED);
  }

  public static String text(Value.Obj of, String name) {
    return member(of, name) instanceof Value.Text(String text) ? text : "";
  }

  private static byte[] bytes(String name) {
    try (InputStream in = Objects.requireNonNull(Cases.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
