package io.orrery.routing.catalog;

import io.orrery.operation.Answer.Owner;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.routing.definition.ContainerDefinition;
import org.jspecify.annotations.Nullable;

/** A container of the catalog; what every request needs of it is made once. */
public final class ContainerEntry {
  private final DatabaseEntry database;
  private final int number;
  private final Version version;
  private final ContainerDefinition definition;
  private final PartitionMap map;
  private final boolean splittable;
  private final String rid;
  private final Owner asOwner;
  private final Body body;

  /**
   * @param splittable whether its ranges may be split, decided by the limits it was created under
   */
  public ContainerEntry(
      DatabaseEntry database,
      int number,
      Version version,
      ContainerDefinition definition,
      PartitionMap map,
      boolean splittable) {
    this.database = database;
    this.number = number;
    this.version = version;
    this.definition = definition;
    this.map = map;
    this.splittable = splittable;
    rid = ResourceId.container(database.number(), number);
    asOwner = new Owner("dbs/" + database.id() + "/colls/" + definition.id(), rid);
    body = definition.body();
  }

  public ContainerEntry with(Version next, ContainerDefinition changed) {
    return new ContainerEntry(database, number, next, changed, map, splittable);
  }

  /** The same resource over other partitions. */
  public ContainerEntry with(PartitionMap changed) {
    return new ContainerEntry(database, number, version, definition, changed, splittable);
  }

  public DatabaseEntry database() {
    return database;
  }

  public int number() {
    return number;
  }

  public Version version() {
    return version;
  }

  public ContainerDefinition definition() {
    return definition;
  }

  public String id() {
    return definition.id();
  }

  public PartitionKeyDefinition key() {
    return definition.key();
  }

  public PartitionMap map() {
    return map;
  }

  public boolean splittable() {
    return splittable;
  }

  public String rid() {
    return rid;
  }

  /**
   * How a request means this container, whatever takes its name.
   *
   * @param intendedRid the rid that a client believes it to have; null for its own
   */
  public ContainerRef ref(@Nullable String intendedRid) {
    return new ContainerRef(
        new DatabaseRef(database.rid()), rid, intendedRid == null ? rid : intendedRid);
  }

  public String self() {
    return database.self() + "colls/" + rid + "/";
  }

  /** How the items and ranges in it name it. */
  public Owner asOwner() {
    return asOwner;
  }

  int definitionBytes() {
    return body.bytes().size();
  }

  public Resource resource() {
    return new Resource(
        Resource.Kind.CONTAINER,
        id(),
        rid,
        self(),
        version.etag(),
        version.timestampSeconds(),
        body);
  }
}
