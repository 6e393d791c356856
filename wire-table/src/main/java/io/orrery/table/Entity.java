package io.orrery.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.orrery.operation.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity as a client sent it.
 *
 * @param partitionKey null when the body does not say it, as for all keys
 */
record Entity(@Nullable String partitionKey, @Nullable String rowKey, List<Property> properties) {
  private static final int BODY_BYTES = 512;
  private static final JsonFactory WRITER = new JsonFactory();

  /** Keys of an entity. */
  record Key(String partitionKey, String rowKey) {}

  /** The item that holds the entity under these keys. */
  Body item(Key key) {
    var out = new ByteArrayOutputStream(BODY_BYTES);
    try (JsonGenerator json = WRITER.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField(Properties.ID, Keys.id(key.rowKey));
      json.writeStringField(Properties.KEY, key.partitionKey);
      for (Property property : properties) {
        json.writeObjectFieldStart(property.name());
        json.writeStringField(Properties.TYPE, property.type().text());
        json.writeFieldName(Properties.VALUE);
        if (property.quoted()) {
          json.writeString(property.text());
        } else {
          json.writeRawValue(property.text());
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Body.json(out.toByteArray());
  }
}
