package io.orrery.script.channel;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.io.IOException;
import java.util.function.Function;

/** Values as fields; objects and arrays as their JSON. */
final class ValueFields {
  private static final int UNDEFINED = 0;
  private static final int NULL = 1;
  private static final int FALSE = 2;
  private static final int TRUE = 3;
  private static final int INTEGER = 4;
  private static final int DOUBLE = 5;
  private static final int TEXT = 6;
  private static final int JSON = 7;

  private ValueFields() {}

  static void put(FieldWriter fields, Value value) {
    switch (value) {
      case Value.Undefined _ -> fields.putByte(UNDEFINED);
      case Value.Null _ -> fields.putByte(NULL);
      case Value.Bool bool -> fields.putByte(bool == Value.Bool.TRUE ? TRUE : FALSE);
      case Value.Int64(long number) -> {
        fields.putByte(INTEGER);
        fields.putLong(number);
      }
      case Value.Float64(double number) -> {
        fields.putByte(DOUBLE);
        fields.putLong(Double.doubleToRawLongBits(number));
      }
      case Value.Text(String text) -> {
        fields.putByte(TEXT);
        fields.putText(text);
      }
      case Value.Arr _, Value.Obj _ -> {
        fields.putByte(JSON);
        fields.putBytes(Json.write(value));
      }
    }
  }

  /**
   * The next value.
   *
   * @param json reads objects and arrays: strictly what a script made, lazily what the server sent
   */
  static Value take(FieldReader fields, Function<byte[], Value> json) throws IOException {
    int kind = fields.takeByte();
    return switch (kind) {
      case UNDEFINED -> Value.UNDEFINED;
      case NULL -> Value.NULL;
      case FALSE -> Value.FALSE;
      case TRUE -> Value.TRUE;
      case INTEGER -> Value.of(fields.takeLong());
      case DOUBLE -> new Value.Float64(finite(Double.longBitsToDouble(fields.takeLong())));
      case TEXT -> Value.of(fields.takeText());
      case JSON -> json.apply(fields.takeBytes());
      default -> throw new IOException("A frame has a value of the unknown kind " + kind);
    };
  }

  private static double finite(double number) throws IOException {
    if (!Double.isFinite(number)) {
      throw new IOException("A frame has a number that JSON does not have");
    }
    return number;
  }
}
