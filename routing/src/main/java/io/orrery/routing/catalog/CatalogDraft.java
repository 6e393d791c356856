package io.orrery.routing.catalog;

import io.orrery.operation.EpkRange;
import io.orrery.operation.ScriptKind;
import io.orrery.operation.Throughput;
import io.orrery.routing.definition.ContainerDefinition;
import io.orrery.routing.definition.PermissionDefinition;
import io.orrery.routing.definition.ScriptDefinition;
import io.orrery.storage.Batch;
import io.orrery.storage.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A change of the catalog in the making: sees its own writes, decided as a whole. */
public final class CatalogDraft {
  private final CatalogImage before;
  private final long lsn;
  private final long commitTicks;
  private final Batch batch = new Batch();
  private final CatalogEntries entries;
  private Counters counters;
  private Secrets secrets;
  private int position;

  CatalogDraft(CatalogImage before, long lsn, long commitTicks) {
    this.before = before;
    this.lsn = lsn;
    this.commitTicks = commitTicks;
    entries = before.entries().copy();
    counters = before.counters();
    secrets = before.secrets();
  }

  /** The catalog as it was before this change. */
  public CatalogImage before() {
    return before;
  }

  Batch batch() {
    return batch;
  }

  CatalogImage image() {
    return new CatalogImage(counters, secrets, entries);
  }

  private Version version() {
    return new Version(lsn, position++, commitTicks);
  }

  private void count(Counters next) {
    counters = next;
    batch.put(FormatV1.COUNTERS_KEY, FormatV1.encode(next));
  }

  /** From now on another secret signs; what the present one has signed stays valid. */
  public void rotateSecret() {
    secrets = secrets.rotated();
    batch.put(FormatV1.SECRET_KEY, secrets.encoded());
  }

  public DatabaseEntry addDatabase(String id) {
    var c = counters;
    count(c.afterDatabase());
    var entry = new DatabaseEntry(c.database(), id, version());
    entries.databases().put(entry.number(), entry);
    batch.put(FormatV1.databaseKey(entry.number()), FormatV1.encode(entry));
    return entry;
  }

  /** Removes the database with all that is in it; gives back the containers. */
  public List<ContainerEntry> remove(DatabaseEntry database) {
    var gone = new ArrayList<>(before.containersOf(database).values());
    gone.forEach(this::remove);
    before.usersOf(database).values().forEach(this::remove);
    removeOfferOf(database.rid());
    entries.databases().remove(database.number());
    batch.delete(FormatV1.databaseKey(database.number()));
    return gone;
  }

  /** Sets so many partitions aside for something that is not decided yet. */
  public Intent addIntent(int partitionCount, List<PartitionId> sources) {
    var c = counters;
    long end = c.partition() + partitionCount;
    count(c.afterIntent(partitionCount));
    var ids = LongStream.range(c.partition(), end).mapToObj(PartitionId::new).toList();
    var intent = new Intent(c.intent(), ids, sources);
    entries.intents().put(intent.number(), intent);
    batch.put(FormatV1.intentKey(intent.number()), FormatV1.encode(intent));
    return intent;
  }

  public void remove(Intent intent) {
    entries.intents().remove(intent.number());
    batch.delete(FormatV1.intentKey(intent.number()));
  }

  /** Makes the intent's partitions a container, and ends the intent. */
  public ContainerEntry addContainer(
      DatabaseEntry database, ContainerDefinition definition, boolean splittable, Intent intent) {
    remove(intent);
    var c = counters;
    count(c.afterContainer());
    var version = version();
    var map = PartitionMap.even(version, definition.key().hashing(), intent.partitions());
    return put(new ContainerEntry(database, c.container(), version, definition, map, splittable));
  }

  public ContainerEntry replace(ContainerEntry container, ContainerDefinition definition) {
    return put(container.with(version(), definition));
  }

  /** Lets the intent's partitions take the place of ranges, and ends the intent. */
  public ContainerEntry reshape(
      ContainerEntry container, List<GoneRange> ended, List<EpkRange> epks, Intent intent) {
    remove(intent);
    return put(
        container.with(container.map().reshaped(version(), ended, epks, intent.partitions())));
  }

  private ContainerEntry put(ContainerEntry entry) {
    entries.containers().put(entry.number(), entry);
    batch.put(
        FormatV1.containerKey(entry.database().number(), entry.number()), FormatV1.encode(entry));
    return entry;
  }

  public void remove(ContainerEntry container) {
    removeOfferOf(container.rid());
    for (ScriptKind kind : ScriptKind.values()) {
      before.scriptsOf(container, kind).values().forEach(this::remove);
    }
    entries.containers().remove(container.number());
    batch.delete(FormatV1.containerKey(container.database().number(), container.number()));
  }

  public ScriptEntry addScript(ContainerEntry container, ScriptDefinition definition) {
    var c = counters;
    count(c.afterScript());
    return put(
        new ScriptEntry(
            container.database().number(), container.number(), c.script(), version(), definition));
  }

  public ScriptEntry replace(ScriptEntry script, ScriptDefinition definition) {
    return put(script.with(version(), definition));
  }

  private ScriptEntry put(ScriptEntry script) {
    entries.scripts().put(script.number(), script);
    batch.put(ScriptFormatV1.key(script), ScriptFormatV1.encode(script));
    return script;
  }

  public void remove(ScriptEntry script) {
    entries.scripts().remove(script.number());
    batch.delete(ScriptFormatV1.key(script));
  }

  public UserEntry addUser(DatabaseEntry database, String id) {
    var c = counters;
    count(c.afterUser());
    return put(new UserEntry(database, c.user(), id, version()));
  }

  public UserEntry replace(UserEntry user, String id) {
    return put(user.with(version(), id));
  }

  private UserEntry put(UserEntry user) {
    entries.users().put(user.number(), user);
    batch.put(UserFormatV1.key(user), UserFormatV1.encode(user));
    return user;
  }

  /** Removes the user with its permissions. */
  public void remove(UserEntry user) {
    before.permissionsOf(user).values().forEach(this::remove);
    entries.users().remove(user.number());
    batch.delete(UserFormatV1.key(user));
  }

  public PermissionEntry addPermission(
      UserEntry user, PermissionDefinition definition, String resourceRid) {
    var c = counters;
    count(c.afterPermission());
    return put(
        new PermissionEntry(
            user.database().number(),
            user.number(),
            c.permission(),
            version(),
            definition,
            resourceRid));
  }

  public PermissionEntry replace(
      PermissionEntry permission, PermissionDefinition definition, String resourceRid) {
    return put(permission.with(version(), definition, resourceRid));
  }

  private PermissionEntry put(PermissionEntry permission) {
    entries.permissions().put(permission.number(), permission);
    batch.put(UserFormatV1.key(permission), UserFormatV1.encode(permission));
    return permission;
  }

  public void remove(PermissionEntry permission) {
    entries.permissions().remove(permission.number());
    batch.delete(UserFormatV1.key(permission));
  }

  public OfferEntry addOffer(String resourceRid, String resourceSelf, Throughput throughput) {
    var c = counters;
    count(c.afterOffer());
    return put(OfferEntry.of(c.offer(), version(), resourceRid, resourceSelf, throughput));
  }

  public OfferEntry replace(OfferEntry offer, Throughput throughput) {
    return put(offer.with(version(), throughput));
  }

  private OfferEntry put(OfferEntry offer) {
    entries.offers().put(offer.number(), offer);
    batch.put(FormatV1.offerKey(offer.number()), FormatV1.encode(offer));
    return offer;
  }

  private void removeOfferOf(String resourceRid) {
    OfferEntry offer = before.offerOf(resourceRid);
    if (offer != null) {
      entries.offers().remove(offer.number());
      batch.delete(FormatV1.offerKey(offer.number()));
    }
  }
}
