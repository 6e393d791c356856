package io.orrery.routing.catalog;

import io.orrery.operation.Grant;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.routing.definition.PermissionDefinition;

/**
 * What a user may do with a resource.
 *
 * @param user the number of the user, in the database of the number before
 * @param resourceRid the resource that was meant when the permission was written
 */
public record PermissionEntry(
    int database,
    int user,
    int number,
    Version version,
    PermissionDefinition definition,
    String resourceRid) {

  PermissionEntry with(Version next, PermissionDefinition changed, String rid) {
    return new PermissionEntry(database, user, number, next, changed, rid);
  }

  public String id() {
    return definition.id();
  }

  public String rid() {
    return ResourceId.permission(ResourceId.user(database, user), number);
  }

  /** What a token of it stands for. */
  public Grant grant(long expirySeconds) {
    return new Grant(rid(), version.etag(), resourceRid, expirySeconds);
  }

  /** Whether two permissions of a user would be for the same. */
  public boolean isFor(String rid, PermissionDefinition other) {
    return resourceRid.equals(rid) && definition.hasKeyOf(other);
  }

  /** The resource with a token, which is part of what clients read. */
  public Resource resource(String token) {
    return new Resource(
        Resource.Kind.PERMISSION,
        id(),
        rid(),
        self(),
        version.etag(),
        version.timestampSeconds(),
        definition.body(token));
  }

  private String self() {
    return ("dbs/" + ResourceId.database(database))
        + ("/users/" + ResourceId.user(database, user))
        + ("/permissions/" + rid() + "/");
  }
}
