package io.orrery.table;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.orrery.operation.Bytes;
import io.orrery.operation.Refusal;
import io.orrery.value.JsonParsers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of an entity: properties, and the annotations that tell their types. */
final class EntityReader {
  private static final JsonParsers PARSERS = new JsonParsers(8, 8 << 20, 8 << 10);

  private static final String TYPE_SUFFIX = "@odata.type";

  private final Map<String, EdmValue.Given> values = new LinkedHashMap<>();
  private final Map<String, EdmType> types = new HashMap<>();

  private EntityReader() {}

  /**
   * The entity of a body.
   *
   * @throws RefusedRequest when it is none
   */
  static Entity read(Bytes body) {
    try {
      return PARSERS.read(body.array(), EntityReader::read).entity();
    } catch (IOException notJson) {
      throw malformed();
    }
  }

  private static EntityReader read(JsonParser parser) throws IOException {
    var reader = new EntityReader();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw malformed();
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      reader.member(parser);
    }
    if (parser.nextToken() != null) {
      throw malformed();
    }
    return reader;
  }

  private void member(JsonParser parser) throws IOException {
    String name = parser.currentName();
    JsonToken token = parser.nextToken();
    if (name.endsWith(TYPE_SUFFIX)) {
      String property = name.substring(0, name.length() - TYPE_SUFFIX.length());
      EdmType type = EdmType.of(parser.getText());
      if (type == null) {
        throw RefusedRequest.invalidInput(
            "The type '" + parser.getText() + "' of property '" + property + "' is unknown.");
      }
      types.put(property, type);
    } else if (name.startsWith("odata.") || name.indexOf('@') >= 0) {
      parser.skipChildren();
    } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      throw RefusedRequest.invalidInput(
          "Property '" + name + "' is an object or array; properties have simple values.");
    } else if (values.put(name, EdmValue.Given.of(parser)) != null) {
      throw RefusedRequest.of(
          400,
          "DuplicatePropertiesSpecified",
          "A property is specified more than one time: '" + name + "'.");
    }
  }

  private Entity entity() {
    List<Property> properties = new ArrayList<>(values.size());
    int bytes = 0;
    for (Map.Entry<String, EdmValue.Given> entry : values.entrySet()) {
      String name = entry.getKey();
      // A null is a property that is not there; the time of an entity is the server's to say.
      if (entry.getValue().token() == JsonToken.VALUE_NULL
          || name.equals(Properties.PARTITION_KEY)
          || name.equals(Properties.ROW_KEY)
          || name.equals(Properties.TIMESTAMP)) {
        continue;
      }
      refuseName(name);
      Property property = EdmValue.of(name, entry.getValue(), types.get(name));
      properties.add(property);
      bytes += name.length() + property.bytes();
    }
    Refusal refusal = EntityLimits.refusal(properties.size(), bytes);
    if (refusal != null) {
      throw new RefusedRequest(TableErrors.of(refusal, ""));
    }
    return new Entity(key(Properties.PARTITION_KEY), key(Properties.ROW_KEY), properties);
  }

  private @Nullable String key(String name) {
    EdmValue.Given given = values.get(name);
    if (given == null || given.token() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!given.isString()) {
      throw RefusedRequest.of(
          400, "PropertiesNeedValue", "The property '" + name + "' needs a string as its value.");
    }
    return given.text();
  }

  private static void refuseName(String name) {
    if (name.length() > Properties.NAME_CHARACTERS_MAX) {
      throw RefusedRequest.of(
          400,
          "PropertyNameTooLong",
          "The property name exceeds the maximum allowed length (255).");
    }
    if (!Properties.isName(name) || Properties.isReserved(name)) {
      throw RefusedRequest.of(
          400,
          "PropertyNameInvalid",
          "The property name '" + name + "' is invalid, or reserved by the server.");
    }
  }

  private static RefusedRequest malformed() {
    return RefusedRequest.invalidInput(
        "An error occurred while processing this request: the body is not a JSON object in UTF-8.");
  }
}
