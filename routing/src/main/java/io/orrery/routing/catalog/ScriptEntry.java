package io.orrery.routing.catalog;

import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.operation.ScriptKind;
import io.orrery.routing.definition.ScriptDefinition;

/**
 * A stored procedure, trigger or function of a container.
 *
 * @param database the number of the container's database
 * @param container the number of the container
 */
public record ScriptEntry(
    int database, int container, int number, Version version, ScriptDefinition definition) {

  ScriptEntry with(Version next, ScriptDefinition changed) {
    return new ScriptEntry(database, container, number, next, changed);
  }

  public String id() {
    return definition.id();
  }

  public ScriptKind kind() {
    return definition.kind();
  }

  public String rid() {
    return ResourceId.script(ResourceId.container(database, container), kind(), number);
  }

  public Resource resource() {
    return new Resource(
        Resource.Kind.SCRIPT,
        id(),
        rid(),
        self(),
        version.etag(),
        version.timestampSeconds(),
        definition.body());
  }

  private String self() {
    return ("dbs/" + ResourceId.database(database))
        + ("/colls/" + ResourceId.container(database, container))
        + ("/" + kind().feed() + "/" + rid() + "/");
  }
}
