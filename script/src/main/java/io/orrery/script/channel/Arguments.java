package io.orrery.script.channel;

import io.orrery.operation.Bytes;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;

/** The arguments of a call as bytes, by which calls can be compared without looking into items. */
public final class Arguments {
  private Arguments() {}

  public static Bytes of(List<Value> values) {
    var fields = new FieldWriter();
    values.forEach(value -> ValueFields.put(fields, value));
    return Bytes.of(fields.written());
  }

  /** The values; objects and arrays are read when code asks for their members. */
  public static List<Value> values(Bytes arguments) throws IOException {
    var fields = new FieldReader(arguments.array());
    List<Value> values = new ArrayList<>();
    try {
      while (fields.hasMore()) {
        values.add(ValueFields.take(fields, RawJson::of));
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("The arguments of a function are cut off", e);
    }
    return values;
  }
}
