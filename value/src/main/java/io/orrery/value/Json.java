package io.orrery.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON text (UTF-8) to values and back. Strict: duplicate members, nesting beyond 128, numbers
 * beyond a double, broken UTF-8, unpaired surrogates and anything after the value are refused.
 */
public final class Json {
  public static final int NESTING_MAX = 128;
  private static final int WRITE_BYTES = 512;
  private static final int TEXT_UNITS_MAX = 64 << 20;
  private static final JsonParsers SENT =
      new JsonParsers(NESTING_MAX, TEXT_UNITS_MAX, TEXT_UNITS_MAX);
  private static final JsonParsers STORED =
      new JsonParsers(JsonOut.NESTING_MAX, TEXT_UNITS_MAX, TEXT_UNITS_MAX, true);

  private Json() {}

  /**
   * Reads one value.
   *
   * @throws MalformedBody when the bytes are not one JSON value
   */
  public static Value parse(byte[] bytes) {
    return reading(bytes, Json::read);
  }

  /**
   * Reads a value that was stored before: as deeply nested as one can be written, so that whatever
   * is there can be replaced and removed.
   *
   * @throws MalformedBody when the bytes are not one JSON value
   */
  public static Value parseStored(byte[] bytes) {
    return reading(STORED, bytes, Json::read);
  }

  /**
   * Reads a value that {@link #write} made elsewhere: checked as text, which it stays until it is
   * looked into. So it takes no more memory than the text.
   *
   * @throws MalformedBody when the bytes are not one JSON value, or have white space around tokens
   */
  public static Value parseWritten(byte[] bytes) {
    reading(bytes, Json::pass);
    if (!JsonBytes.isCompact(bytes)) {
      throw new MalformedBody("White space around a value");
    }
    return RawJson.of(bytes);
  }

  /** Goes to the end of the value. */
  private static boolean pass(JsonParser parser, JsonToken first) throws IOException {
    int depth = 0;
    for (JsonToken token = first; ; token = parser.nextToken()) {
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token.isNumeric()) {
        read(parser, token);
      } else {
        parser.finishToken();
      }
      if (depth == 0) {
        return true;
      }
    }
  }

  /** What is made of the tokens, from the first one on. */
  interface Reading<T extends @Nullable Object> {
    T read(JsonParser parser, JsonToken first) throws IOException;
  }

  /** Reads one value in some way. */
  static <T extends @Nullable Object> T reading(byte[] bytes, Reading<T> reading) {
    return reading(SENT, bytes, reading);
  }

  private static <T extends @Nullable Object> T reading(
      JsonParsers parsers, byte[] bytes, Reading<T> reading) {
    refuseOtherEncodings(bytes);
    try {
      return parsers.read(bytes, parser -> whole(parser, reading));
    } catch (StreamConstraintsException e) {
      throw new MalformedBody(
          "Nested deeper than " + NESTING_MAX + ", or a number or string that is too long");
    } catch (JsonProcessingException e) {
      throw new MalformedBody(describe(e));
    } catch (IOException e) {
      // Jackson reports some broken UTF-8 as a plain conversion error.
      throw new MalformedBody("Invalid UTF-8");
    }
  }

  private static <T extends @Nullable Object> T whole(JsonParser parser, Reading<T> reading)
      throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new MalformedBody("The body is empty");
    }
    T value = reading.read(parser, first);
    if (parser.nextToken() != null) {
      throw new MalformedBody("There is more after the JSON value");
    }
    return value;
  }

  public static Value parse(String text) {
    return parse(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the shortest text; half of a surrogate pair, as queries cut it, is an escape. */
  public static byte[] write(Value value) {
    return write(value, JsonOut.NESTING_MAX, false);
  }

  /**
   * Writes the shortest text of a value that is to be stored.
   *
   * @throws MalformedBody when it is nested too deeply or a string holds an unpaired surrogate
   */
  static byte[] writeToStore(Value value) {
    return write(value, NESTING_MAX, true);
  }

  private static byte[] write(Value value, int nestingMax, boolean isStored) {
    return written(value, nestingMax, isStored).toBytes();
  }

  /** As {@link #write(Value)}, with what is known of the text. */
  static JsonOut written(Value value) {
    return written(value, JsonOut.NESTING_MAX, false);
  }

  private static JsonOut written(Value value, int nestingMax, boolean isStored) {
    var out = new JsonOut(sizeHint(value), nestingMax, isStored);
    out.value(value);
    return out;
  }

  private static int sizeHint(Value value) {
    return switch (value) {
      case Value.Obj(RawText raw) -> raw.sizeBytes();
      case Value.Arr(RawText raw) -> raw.sizeBytes();
      default -> WRITE_BYTES;
    };
  }

  static Value read(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_STRING -> new Value.Text(wellFormed(parser.getText()));
      case VALUE_NUMBER_INT -> readInteger(parser);
      case VALUE_NUMBER_FLOAT -> readFloat(parser);
      case VALUE_TRUE -> Value.TRUE;
      case VALUE_FALSE -> Value.FALSE;
      case VALUE_NULL -> Value.NULL;
      case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new MalformedBody("Unexpected " + token);
    };
  }

  private static Value readObject(JsonParser parser) throws IOException {
    var members = new LinkedHashMap<String, Value>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = wellFormed(parser.currentName());
      Value value = read(parser, parser.nextToken());
      if (members.put(name, value) != null) {
        throw new MalformedBody("Duplicate property '" + name + "'");
      }
    }
    return new Value.Obj(members);
  }

  private static Value readArray(JsonParser parser) throws IOException {
    var items = new ArrayList<Value>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(read(parser, token));
    }
    return new Value.Arr(items);
  }

  private static Value readInteger(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT, LONG -> new Value.Int64(parser.getLongValue());
      case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> readFloat(parser);
    };
  }

  private static Value readFloat(JsonParser parser) throws IOException {
    double value = parser.getDoubleValue();
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      throw new MalformedBody("The number " + parser.getText() + " is out of range");
    }
    return Value.of(value);
  }

  private static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        boolean paired =
            Character.isHighSurrogate(unit)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          throw new MalformedBody("A string holds an unpaired surrogate");
        }
        i++;
      }
    }
    return text;
  }

  /** Jackson would read UTF-16 and UTF-32 as well; what is stored here is UTF-8. */
  private static void refuseOtherEncodings(byte[] bytes) {
    boolean zeroNearby = bytes.length >= 2 && (bytes[0] == 0 || bytes[1] == 0);
    boolean mark =
        bytes.length >= 2
            && ((bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF)
                || (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE));
    if (zeroNearby || mark) {
      throw new MalformedBody("The body is not UTF-8");
    }
  }

  private static String describe(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    var place = e.getLocation();
    return place == null || place.getByteOffset() < 0
        ? message
        : message + " (at byte " + place.getByteOffset() + ")";
  }
}
