package io.orrery.routing.definition;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKey;
import io.orrery.value.Json;
import io.orrery.value.KeyValues;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a client may say about a permission.
 *
 * @param writes whether the mode is All, or only Read
 * @param resource the link as the client wrote it, by names or rids
 * @param key the key, or a prefix of it, that the permission is limited to; null for everything
 */
public record PermissionDefinition(
    String id, boolean writes, String resource, @Nullable PartitionKey key) {
  private static final String READ = "Read";
  private static final String ALL = "All";

  /**
   * Reads what a client wrote.
   *
   * @throws MalformedBody naming the rule that it breaks
   */
  public static PermissionDefinition parse(Body body) {
    return read(Members.of(body, "The permission"));
  }

  /** Reads what {@link #json} wrote. */
  public static PermissionDefinition stored(Map<String, Value> members) {
    return read(Members.of(new Value.Obj(members), "The permission"));
  }

  private static PermissionDefinition read(Members given) {
    String mode =
        given.oneOf("permissionMode", given.requiredText("permissionMode"), List.of(READ, ALL));
    return new PermissionDefinition(
        ResourceName.check(given.requiredText("id")),
        mode.equals(ALL),
        given.requiredText("resource"),
        key(given));
  }

  /** Clients write an array, some a bare value. */
  private static @Nullable PartitionKey key(Members given) {
    Value value = given.value("resourcePartitionKey");
    if (value == null) {
      return null;
    }
    Value array = value instanceof Value.Arr ? value : new Value.Arr(List.of(value));
    PartitionKey key = KeyValues.parse(new String(Json.write(array), StandardCharsets.UTF_8));
    if (key.components().isEmpty()) {
      // It would be a prefix of every key.
      throw given.wrong("resourcePartitionKey", "an array with at least one value");
    }
    return key;
  }

  public ResourceLink link() {
    return ResourceLink.parse(resource);
  }

  public boolean hasKeyOf(PermissionDefinition other) {
    return Objects.equals(key, other.key);
  }

  /** The members as they are stored. */
  public Value.Obj json() {
    return members().done();
  }

  /** The members as clients see them. */
  public Body body(String token) {
    return Body.json(Json.write(members().put("_token", token).done()));
  }

  private Members.Writer members() {
    return new Members.Writer()
        .put("id", id)
        .put("permissionMode", writes ? ALL : READ)
        .put("resource", resource)
        .put("resourcePartitionKey", key == null ? null : KeyValues.value(key));
  }
}
