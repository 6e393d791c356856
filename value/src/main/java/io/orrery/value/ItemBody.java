package io.orrery.value;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import java.util.LinkedHashMap;
import java.util.Set;

/**
 * An item that a client wants stored: validated once, so that every later reader can trust it.
 *
 * @param content the members without system properties
 * @param body the same as bytes, numbers in their shortest form
 */
public record ItemBody(String id, PartitionKey key, Value.Obj content, Body body) {
  private static final Set<String> SYSTEM_PROPERTIES =
      Set.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn");
  private static final String FORBIDDEN_IN_IDS = "/\\?#";

  /**
   * Validates what a client sent.
   *
   * @throws MalformedBody when it is no JSON object, lacks a proper id or has no usable key
   */
  public static ItemBody of(Body body, PartitionKeyDefinition definition) {
    if (!(Json.parse(body.bytes().array()) instanceof Value.Obj object)) {
      throw new MalformedBody("An item is a JSON object");
    }
    boolean asItCame = !hasSystemProperties(object) && ShortestForm.is(body.bytes().array());
    return asItCame ? of(object, definition, body) : of(object, definition);
  }

  public static ItemBody of(Value.Obj object, PartitionKeyDefinition definition) {
    Value.Obj content = withoutSystemProperties(object);
    return of(content, definition, Body.json(Json.writeToStore(content)));
  }

  /** About how much memory it takes, as text and as values. */
  public long weightBytes() {
    return body.bytes().size() + Weight.bytesOf(content);
  }

  /** These members over those of an item that is there. */
  public ItemBody over(Value.Obj present, PartitionKeyDefinition definition) {
    var members = new LinkedHashMap<>(present.members());
    members.putAll(content.members());
    return of(new Value.Obj(members), definition);
  }

  private static ItemBody of(Value.Obj content, PartitionKeyDefinition definition, Body body) {
    return new ItemBody(idOf(content), KeyValues.of(content, definition), content, body);
  }

  private static Value.Obj withoutSystemProperties(Value.Obj object) {
    if (!hasSystemProperties(object)) {
      return object;
    }
    var members = new LinkedHashMap<>(object.members());
    members.keySet().removeAll(SYSTEM_PROPERTIES);
    return new Value.Obj(members);
  }

  private static boolean hasSystemProperties(Value.Obj object) {
    for (String property : SYSTEM_PROPERTIES) {
      if (object.members().containsKey(property)) {
        return true;
      }
    }
    return false;
  }

  private static String idOf(Value.Obj content) {
    Value id = content.members().getOrDefault("id", Value.UNDEFINED);
    if (!(id instanceof Value.Text(String text)) || text.isEmpty()) {
      throw new MalformedBody(
          "The input content is invalid because the required properties - 'id; ' - are missing");
    }
    for (int i = 0; i < text.length(); i++) {
      if (FORBIDDEN_IN_IDS.indexOf(text.charAt(i)) >= 0 || Character.isISOControl(text.charAt(i))) {
        throw new MalformedBody(
            "An id must not contain the characters / \\ ? # or control characters");
      }
    }
    return text;
  }
}
