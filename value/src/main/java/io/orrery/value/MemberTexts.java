package io.orrery.value;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.operation.Body;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads an array of objects in which one member stays the text that it is: what is inside is read
 * by somebody else later, and once.
 */
public final class MemberTexts {
  private MemberTexts() {}

  /**
   * One element of the array.
   *
   * @param members the element without that member; whatever it is if it is no object
   * @param text that member's JSON, null if there is none; its syntax is checked and nothing else
   */
  public record Part(Value members, @Nullable Body text) {}

  /**
   * Reads the array.
   *
   * @param member its name
   * @throws MalformedBody when the bytes are not an array, and nothing else
   */
  public static List<Part> parse(byte[] bytes, String member) {
    return Json.reading(
        bytes,
        (parser, first) -> {
          if (first != JsonToken.START_ARRAY) {
            throw new MalformedBody("The body is not an array");
          }
          var parts = new ArrayList<Part>();
          var places = new BytePlaces(bytes);
          for (JsonToken token = parser.nextToken();
              token != JsonToken.END_ARRAY;
              token = parser.nextToken()) {
            parts.add(part(parser, token, places, member));
          }
          return parts;
        });
  }

  private static Part part(JsonParser parser, JsonToken token, BytePlaces places, String member)
      throws IOException {
    if (token != JsonToken.START_OBJECT) {
      return new Part(Json.read(parser, token), null);
    }
    var members = new LinkedHashMap<String, Value>();
    Body text = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      boolean again;
      if (name.equals(member)) {
        again = text != null;
        text = text(parser, places);
      } else {
        again = members.put(name, Json.read(parser, value)) != null;
      }
      if (again) {
        throw new MalformedBody("Duplicate property '" + name + "'");
      }
    }
    return new Part(new Value.Obj(members), text);
  }

  private static Body text(JsonParser parser, BytePlaces places) throws IOException {
    int start = places.of(parser.currentTokenLocation());
    parser.skipChildren();
    // A token that was skipped over lazily is read to its end by asking for its length.
    parser.finishToken();
    int end = places.of(parser.currentLocation());
    return Body.json(Arrays.copyOfRange(places.text, start, end));
  }

  /**
   * Finds the bytes at which tokens begin and end. A parser without a table of names reads
   * characters and does not know the bytes: they are counted, each once, as places only go forward.
   */
  private static final class BytePlaces {
    private final byte[] text;
    private long chars;
    private int bytes;

    BytePlaces(byte[] text) {
      this.text = text;
      this.bytes = JsonParsers.startOf(text);
    }

    int of(JsonLocation location) {
      if (location.getByteOffset() >= 0) {
        return Math.toIntExact(location.getByteOffset());
      }
      while (chars < location.getCharOffset()) {
        int lead = text[bytes] & 0xFF;
        bytes += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        chars += lead < 0xF0 ? 1 : 2;
      }
      return bytes;
    }
  }
}
