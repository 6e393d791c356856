package io.orrery.table;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.http.AsciiNumbers;
import io.orrery.operation.Ticks;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values on their way from JSON to how they are kept: each type has one text for each value, so
 * that equal values are equal texts, and texts of times are ordered like the times.
 */
final class EdmValue {
  private static final int NUMBER_BYTES = 8;
  private static final int GUID_BYTES = 16;
  private static final int GUID_CHARACTERS = 36;
  private static final int DOUBLE_CHARACTERS_MAX = 1_000;
  private static final long WHOLE_DOUBLE_MAX = 1L << 53;
  private static final long TICKS_MIN = -62_135_596_800L * Ticks.PER_SECOND;
  private static final long TICKS_MAX = 253_402_300_800L * Ticks.PER_SECOND - 1;

  private EdmValue() {}

  /** A value as JSON has it, before its type is known. */
  record Given(JsonToken token, String text) {

    static Given of(JsonParser parser) throws IOException {
      return new Given(parser.currentToken(), parser.getText());
    }

    boolean isString() {
      return token == JsonToken.VALUE_STRING;
    }
  }

  /**
   * The property of a value.
   *
   * @param type null when the value alone tells it
   * @throws RefusedRequest when the value is none of the type
   */
  static Property of(String name, Given given, @Nullable EdmType type) {
    EdmType meant = type == null ? inferred(name, given) : type;
    if (given.token == JsonToken.START_OBJECT || given.token == JsonToken.START_ARRAY) {
      throw invalid(name, meant);
    }
    return switch (meant) {
      case STRING -> {
        if (!given.isString()) {
          throw invalid(name, meant);
        }
        yield text(name, meant, given.text, given.text.length());
      }
      case BOOLEAN -> {
        if (!given.text.equals("true") && !given.text.equals("false")) {
          throw invalid(name, meant);
        }
        yield new Property(name, meant, given.text, false, 1);
      }
      case INT32 -> new Property(name, meant, int32(name, given.text), false, NUMBER_BYTES / 2);
      case INT64 -> text(name, meant, int64(name, given.text), NUMBER_BYTES);
      case DOUBLE -> number(name, given);
      case DATE_TIME -> text(name, meant, dateTime(name, given.text), NUMBER_BYTES);
      case GUID -> text(name, meant, guid(name, given.text), GUID_BYTES);
      case BINARY -> {
        byte[] bytes = binary(name, given.text);
        yield text(name, meant, Base64.getEncoder().encodeToString(bytes), bytes.length);
      }
    };
  }

  /** How many bytes a value counts for whose text has so many characters. */
  static int bytes(EdmType type, int characters) {
    return switch (type) {
      case STRING -> characters;
      case BOOLEAN -> 1;
      case INT32 -> NUMBER_BYTES / 2;
      case INT64, DOUBLE, DATE_TIME -> NUMBER_BYTES;
      case GUID -> GUID_BYTES;
      case BINARY -> characters / 4 * 3;
    };
  }

  private static Property text(String name, EdmType type, String text, int bytes) {
    return new Property(name, type, text, true, bytes);
  }

  private static EdmType inferred(String name, Given given) {
    return switch (given.token) {
      case VALUE_STRING -> EdmType.STRING;
      case VALUE_TRUE, VALUE_FALSE -> EdmType.BOOLEAN;
      case VALUE_NUMBER_FLOAT -> EdmType.DOUBLE;
      case VALUE_NUMBER_INT -> wholeNumber(name, given.text);
      default -> throw invalid(name, EdmType.STRING);
    };
  }

  /** Clients without other numbers send large whole ones as doubles without a point. */
  private static EdmType wholeNumber(String name, String text) {
    try {
      long value = AsciiNumbers.parseLong(text);
      if (value == (int) value) {
        return EdmType.INT32;
      }
      if (Math.abs(value) <= WHOLE_DOUBLE_MAX) {
        return EdmType.DOUBLE;
      }
    } catch (NumberFormatException beyondLong) {
      // Told below.
    }
    throw RefusedRequest.invalidInput(
        "The value of property '"
            + name
            + "' is too large for a number without a type; send it as Edm.Int64.");
  }

  private static String int32(String name, String text) {
    try {
      return Integer.toString(AsciiNumbers.parseInt(text));
    } catch (NumberFormatException notOne) {
      throw invalid(name, EdmType.INT32);
    }
  }

  private static String int64(String name, String text) {
    try {
      return Long.toString(AsciiNumbers.parseLong(text));
    } catch (NumberFormatException notOne) {
      throw invalid(name, EdmType.INT64);
    }
  }

  private static Property number(String name, Given given) {
    double value =
        switch (given.text) {
          case "NaN" -> Double.NaN;
          case "Infinity", "INF" -> Double.POSITIVE_INFINITY;
          case "-Infinity", "-INF" -> Double.NEGATIVE_INFINITY;
          default -> finite(name, given.text);
        };
    // JSON has no numbers for these.
    boolean special = !Double.isFinite(value) || (value == 0 && 1 / value < 0);
    return new Property(name, EdmType.DOUBLE, Double.toString(value), special, NUMBER_BYTES);
  }

  private static double finite(String name, String text) {
    // As long as JSON may have it: the check takes a time that grows with the square of the length.
    if (text.length() > DOUBLE_CHARACTERS_MAX) {
      throw invalid(name, EdmType.DOUBLE);
    }
    try {
      // Stricter than Double.parseDouble, which takes hexadecimal digits and type suffixes.
      var _ = new BigDecimal(text);
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notOne) {
      // Told below.
    }
    throw invalid(name, EdmType.DOUBLE);
  }

  private static String dateTime(String name, String text) {
    long ticks = TicksText.parse(text);
    if (ticks == TicksText.NONE || ticks < TICKS_MIN || ticks > TICKS_MAX) {
      throw invalid(name, EdmType.DATE_TIME);
    }
    return TicksText.of(ticks);
  }

  static String guid(String name, String text) {
    try {
      if (text.length() == GUID_CHARACTERS) {
        return UUID.fromString(text).toString();
      }
    } catch (IllegalArgumentException notOne) {
      // Told below.
    }
    throw invalid(name, EdmType.GUID);
  }

  private static byte[] binary(String name, String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notOne) {
      throw invalid(name, EdmType.BINARY);
    }
  }

  private static RefusedRequest invalid(String name, EdmType type) {
    return RefusedRequest.invalidInput(
        "One of the request inputs is not valid: property '"
            + name
            + "' has no value of type "
            + type.text()
            + ".");
  }
}
