package io.orrery.routing.catalog;

import io.orrery.operation.Answer.Owner;
import io.orrery.operation.Body;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.Map;

/** A database of the catalog. */
public record DatabaseEntry(int number, String id, Version version) {

  public String rid() {
    return ResourceId.database(number);
  }

  public String self() {
    return "dbs/" + rid() + "/";
  }

  /** How the containers in it name it. */
  public Owner asOwner() {
    return new Owner("dbs/" + id, rid());
  }

  public Resource resource() {
    return new Resource(
        Resource.Kind.DATABASE,
        id,
        rid(),
        self(),
        version.etag(),
        version.timestampSeconds(),
        Body.json(Json.write(new Value.Obj(Map.of("id", Value.of(id))))));
  }
}
