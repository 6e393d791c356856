package io.orrery.routing.catalog;

import io.orrery.operation.ScriptKind;
import io.orrery.routing.definition.ScriptDefinition;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;

/** Scripts to bytes and back, as the package's description lays them out. */
final class ScriptFormatV1 {
  private ScriptFormatV1() {}

  static byte[] key(ScriptEntry script) {
    return ByteBuffer.allocate(14)
        .put((byte) 1)
        .put((byte) 'j')
        .putInt(script.database())
        .putInt(script.container())
        .putInt(script.number())
        .array();
  }

  static byte[] encode(ScriptEntry script) {
    var members = new LinkedHashMap<String, Value>();
    members.put("version", FormatV1.version(script.version()));
    members.put("kind", Value.of(script.kind().feed()));
    members.put("definition", script.definition().json());
    return FormatV1.write(members);
  }

  static ScriptEntry script(byte[] key, byte[] value) {
    var members = FormatV1.members(Json.parse(value));
    var numbers = ByteBuffer.wrap(key);
    return new ScriptEntry(
        numbers.getInt(2),
        numbers.getInt(6),
        numbers.getInt(10),
        FormatV1.versionAt(members),
        ScriptDefinition.stored(
            ScriptKind.ofFeed(FormatV1.textAt(members, "kind")),
            FormatV1.members(FormatV1.at(members, "definition"))));
  }
}
