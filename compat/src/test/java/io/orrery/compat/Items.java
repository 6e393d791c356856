package io.orrery.compat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Items to store, and how they come back. */
final class Items {
  static final List<String> SYSTEM = List.of("_rid", "_self", "_etag", "_attachments", "_ts");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Items() {}

  static ObjectNode item(String id, String key) {
    return JSON.createObjectNode().put("id", id).put("pk", key);
  }

  static ObjectNode parse(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static PartitionKey key(Object value) {
    return new PartitionKey(value);
  }

  /** What the client wrote, without what the server added. */
  static JsonNode own(JsonNode stored) {
    ObjectNode copy = stored.deepCopy();
    return copy.remove(SYSTEM);
  }

  /** JSON that fits into a header, as the SDKs send keys. */
  static String ascii(String json) {
    var escaped = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < 128) {
        escaped.append(c);
      } else {
        escaped.append("\\u%04X".formatted((int) c));
      }
    }
    return escaped.toString();
  }
}
