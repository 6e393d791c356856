package io.orrery.routing.catalog;

import io.orrery.routing.definition.PermissionDefinition;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;

/** Users and permissions to bytes and back, as the package's description lays them out. */
final class UserFormatV1 {
  private UserFormatV1() {}

  static byte[] key(UserEntry user) {
    return ByteBuffer.allocate(10)
        .put((byte) 1)
        .put((byte) 'u')
        .putInt(user.database().number())
        .putInt(user.number())
        .array();
  }

  static byte[] key(PermissionEntry permission) {
    return ByteBuffer.allocate(14)
        .put((byte) 1)
        .put((byte) 'p')
        .putInt(permission.database())
        .putInt(permission.user())
        .putInt(permission.number())
        .array();
  }

  static byte[] encode(UserEntry user) {
    var members = new LinkedHashMap<String, Value>();
    members.put("id", Value.of(user.id()));
    members.put("version", FormatV1.version(user.version()));
    return FormatV1.write(members);
  }

  static UserEntry user(DatabaseEntry database, byte[] key, byte[] value) {
    var members = FormatV1.members(Json.parse(value));
    return new UserEntry(
        database,
        ByteBuffer.wrap(key).getInt(6),
        FormatV1.textAt(members, "id"),
        FormatV1.versionAt(members));
  }

  static byte[] encode(PermissionEntry permission) {
    var members = new LinkedHashMap<String, Value>();
    members.put("version", FormatV1.version(permission.version()));
    members.put("definition", permission.definition().json());
    members.put("rid", Value.of(permission.resourceRid()));
    return FormatV1.write(members);
  }

  static PermissionEntry permission(byte[] key, byte[] value) {
    var members = FormatV1.members(Json.parse(value));
    var numbers = ByteBuffer.wrap(key);
    return new PermissionEntry(
        numbers.getInt(2),
        numbers.getInt(6),
        numbers.getInt(10),
        FormatV1.versionAt(members),
        PermissionDefinition.stored(FormatV1.members(FormatV1.at(members, "definition"))),
        FormatV1.textAt(members, "rid"));
  }
}
