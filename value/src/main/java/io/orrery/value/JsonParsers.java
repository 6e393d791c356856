package io.orrery.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON with one table of property names for everybody, which saves their decoding. A client
 * can make names that collide in that table until it fails, for others too: a text that fails so is
 * parsed again without a table, and if that succeeds the table is thrown away.
 */
public final class JsonParsers {
  private final boolean isStored;
  private final StreamReadConstraints constraints;
  private final JsonFactory plain;
  private volatile JsonFactory sharing;

  /** What is made of a text; may be asked twice for the same one. */
  public interface Reading<T extends @Nullable Object> {
    T read(JsonParser parser) throws IOException;
  }

  /**
   * @param nestingMax how deeply arrays and objects may be nested
   * @param textUnitsMax how many UTF-16 units a string may have
   * @param nameUnitsMax how many a property name may have
   */
  public JsonParsers(int nestingMax, int textUnitsMax, int nameUnitsMax) {
    this(nestingMax, textUnitsMax, nameUnitsMax, false);
  }

  /**
   * @param isStored whether the texts were checked when they were stored: earlier versions took
   *     what is no UTF-8 for Jackson only, and their items must stay readable
   */
  JsonParsers(int nestingMax, int textUnitsMax, int nameUnitsMax, boolean isStored) {
    this.isStored = isStored;
    constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(nestingMax)
            .maxStringLength(textUnitsMax)
            .maxNameLength(nameUnitsMax)
            .build();
    plain = factory(false);
    sharing = factory(true);
  }

  private JsonFactory factory(boolean isSharing) {
    return JsonFactory.builder()
        .streamReadConstraints(constraints)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, isSharing)
        .build();
  }

  /**
   * Reads a text.
   *
   * @throws IOException when it is not JSON, or beyond the limits
   */
  public <T extends @Nullable Object> T read(byte[] text, Reading<T> reading) throws IOException {
    if (!isStored && !Utf8.isValid(text)) {
      throw new MalformedInputException(text.length);
    }
    JsonFactory used = sharing;
    try (JsonParser parser = used.createParser(text)) {
      return reading.read(parser);
    } catch (StreamConstraintsException
        | IndexOutOfBoundsException
        | IllegalStateException
        | IllegalArgumentException e) {
      return readAgain(text, reading);
    }
  }

  private <T extends @Nullable Object> T readAgain(byte[] text, Reading<T> reading)
      throws IOException {
    T value;
    try (JsonParser parser = plain.createParser(decoded(text))) {
      value = reading.read(parser);
    }
    sharing = factory(true);
    return value;
  }

  /** Without a table Jackson would decode the bytes itself, and replace those that are no UTF-8. */
  private static Reader decoded(byte[] text) throws CharacterCodingException {
    int start = startOf(text);
    CharBuffer chars =
        StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(text, start, text.length - start));
    return new CharArrayReader(chars.array(), chars.arrayOffset(), chars.length());
  }

  /** Where a text begins: behind the byte order mark, if it has one. */
  static int startOf(byte[] text) {
    boolean marked =
        text.length >= 3
            && text[0] == (byte) 0xEF
            && text[1] == (byte) 0xBB
            && text[2] == (byte) 0xBF;
    return marked ? 3 : 0;
  }
}
