package io.orrery.routing.catalog;

import io.orrery.operation.Answer.Owner;
import io.orrery.operation.Body;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.Map;

/** A user of a database: whom permissions are given to. */
public record UserEntry(DatabaseEntry database, int number, String id, Version version) {

  UserEntry with(Version next, String changed) {
    return new UserEntry(database, number, changed, next);
  }

  public String rid() {
    return ResourceId.user(database.number(), number);
  }

  public String self() {
    return database.self() + "users/" + rid() + "/";
  }

  /** How the permissions of it name it. */
  public Owner asOwner() {
    return new Owner("dbs/" + database.id() + "/users/" + id, rid());
  }

  public Resource resource() {
    return new Resource(
        Resource.Kind.USER,
        id,
        rid(),
        self(),
        version.etag(),
        version.timestampSeconds(),
        Body.json(Json.write(new Value.Obj(Map.of("id", Value.of(id))))));
  }
}
