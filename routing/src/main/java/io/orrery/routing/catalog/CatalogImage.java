package io.orrery.routing.catalog;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ResourceId;
import io.orrery.operation.ScriptKind;
import io.orrery.storage.PartitionId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One state of the catalog. Immutable; a change makes another one. */
public final class CatalogImage {
  static final CatalogImage EMPTY =
      new CatalogImage(Counters.FIRST, Secrets.NONE, CatalogEntries.none());

  /** About what an entry takes besides its own text. */
  private static final int ENTRY_BYTES = 1 << 10;

  /**
   * Longer than the name of any table: requests may name what cannot be there, and the JDK copies a
   * text again for each letter that becomes several.
   */
  private static final int FOLDED_CHARACTERS_MAX = 1_024;

  private final Counters counters;
  private final Secrets secrets;
  private final CatalogEntries entries;
  private final ScriptNames scripts;
  private final UserNames users;
  private final Map<PartitionId, ContainerEntry> byPartition = new HashMap<>();
  private final Map<String, DatabaseNames> databasesById = new HashMap<>();
  private final Map<String, DatabaseNames> databasesByRid = new HashMap<>();
  private final Map<String, OfferEntry> offersByRid = new HashMap<>();
  private final Map<String, OfferEntry> offersByResource = new HashMap<>();

  /** A database and the ways to find its containers. */
  private record DatabaseNames(
      DatabaseEntry database,
      Map<String, ContainerEntry> byId,
      Map<String, ContainerEntry> byFoldedId,
      Map<String, ContainerEntry> byRid,
      NavigableMap<Integer, ContainerEntry> byNumber) {

    DatabaseNames(DatabaseEntry database) {
      this(database, new HashMap<>(), new HashMap<>(), new HashMap<>(), new TreeMap<>());
    }

    /** Tables have names without regard to case; shared access signatures rest on that. */
    private boolean folds() {
      return database.id().equals(DatabaseRef.TABLES.idOrRid());
    }

    void add(ContainerEntry container) {
      byId.put(container.id(), container);
      byRid.put(container.rid(), container);
      byNumber.put(container.number(), container);
      if (folds()) {
        byFoldedId.putIfAbsent(folded(container.id()), container);
      }
    }

    @Nullable ContainerEntry find(String idOrRid) {
      ContainerEntry found = CatalogNames.find(byId, byRid, idOrRid);
      return found == null && folds() ? byFoldedId.get(folded(idOrRid)) : found;
    }

    boolean has(String id) {
      return byId.containsKey(id) || (folds() && byFoldedId.containsKey(folded(id)));
    }

    private static String folded(String id) {
      return id.length() > FOLDED_CHARACTERS_MAX ? id : id.toLowerCase(Locale.ROOT);
    }
  }

  /** Takes the entries over: nobody changes them any more. */
  CatalogImage(Counters counters, Secrets secrets, CatalogEntries entries) {
    this.counters = counters;
    this.secrets = secrets;
    this.entries = entries;
    scripts = new ScriptNames(entries.scripts().values());
    users = new UserNames(entries.users().values(), entries.permissions().values());
    for (DatabaseEntry database : entries.databases().values()) {
      var names = new DatabaseNames(database);
      databasesById.put(database.id(), names);
      databasesByRid.put(database.rid(), names);
    }
    for (ContainerEntry container : entries.containers().values()) {
      namesOf(container.database()).add(container);
      container.map().ranges().forEach(range -> byPartition.put(range.partition(), container));
    }
    for (OfferEntry offer : entries.offers().values()) {
      offersByRid.put(offer.rid(), offer);
      offersByResource.put(offer.resourceRid(), offer);
    }
  }

  private DatabaseNames namesOf(DatabaseEntry database) {
    DatabaseNames names = databasesById.get(database.id());
    if (names == null) {
      throw new CatalogFault("A container's database is missing: " + database.number());
    }
    return names;
  }

  public @Nullable DatabaseEntry database(DatabaseRef ref) {
    DatabaseNames names = names(ref);
    return names == null ? null : names.database;
  }

  public boolean hasDatabaseNamed(String id) {
    return databasesById.containsKey(id);
  }

  public boolean hasContainerNamed(DatabaseEntry database, String id) {
    return namesOf(database).has(id);
  }

  /** The container of that rid or name; null when it or its database is not there. */
  public @Nullable ContainerEntry container(ContainerRef ref) {
    DatabaseNames names = names(ref.database());
    return names == null ? null : names.find(ref.idOrRid());
  }

  /** The container that a partition belongs to; null when none does. */
  public @Nullable ContainerEntry containerOf(PartitionId partition) {
    return byPartition.get(partition);
  }

  /** The container of that number, whatever its name is now. */
  public @Nullable ContainerEntry container(int number) {
    return entries.containers().get(number);
  }

  /** The container of that rid, whatever it is named; null when it is gone. */
  public @Nullable ContainerEntry containerByRid(String rid) {
    ContainerEntry container = entries.containers().get(ResourceId.containerNumber(rid));
    return container != null && container.rid().equals(rid) ? container : null;
  }

  /** The script of that rid or name. */
  public @Nullable ScriptEntry script(ContainerEntry container, ScriptKind kind, String idOrRid) {
    return scripts.find(container, kind, idOrRid);
  }

  public boolean hasScriptNamed(ContainerEntry container, ScriptKind kind, String id) {
    return scripts.hasNamed(container, kind, id);
  }

  public NavigableMap<Integer, ScriptEntry> scriptsOf(ContainerEntry container, ScriptKind kind) {
    return scripts.of(container, kind);
  }

  public @Nullable UserEntry user(DatabaseEntry database, String idOrRid) {
    return users.user(database, idOrRid);
  }

  /** The user that a permission was given to. */
  public @Nullable UserEntry user(PermissionEntry permission) {
    return entries.users().get(permission.user());
  }

  public NavigableMap<Integer, UserEntry> usersOf(DatabaseEntry database) {
    return users.of(database);
  }

  public @Nullable PermissionEntry permission(UserEntry user, String idOrRid) {
    return users.permission(user, idOrRid);
  }

  /** The permission of that rid, whoever's it is. */
  public @Nullable PermissionEntry permission(String rid) {
    return users.permission(rid);
  }

  public NavigableMap<Integer, PermissionEntry> permissionsOf(UserEntry user) {
    return users.of(user);
  }

  private @Nullable DatabaseNames names(DatabaseRef ref) {
    return CatalogNames.find(databasesById, databasesByRid, ref.idOrRid());
  }

  public @Nullable OfferEntry offer(String idOrRid) {
    return offersByRid.get(idOrRid);
  }

  /** The offer of the container or database with this rid; null when it has none of its own. */
  public @Nullable OfferEntry offerOf(String resourceRid) {
    return offersByResource.get(resourceRid);
  }

  public NavigableMap<Integer, DatabaseEntry> databases() {
    return Collections.unmodifiableNavigableMap(entries.databases());
  }

  public NavigableMap<Integer, ContainerEntry> containers() {
    return Collections.unmodifiableNavigableMap(entries.containers());
  }

  public NavigableMap<Integer, ContainerEntry> containersOf(DatabaseEntry database) {
    return Collections.unmodifiableNavigableMap(namesOf(database).byNumber);
  }

  public NavigableMap<Integer, OfferEntry> offers() {
    return Collections.unmodifiableNavigableMap(entries.offers());
  }

  public Collection<Intent> intents() {
    return Collections.unmodifiableCollection(entries.intents().values());
  }

  /** About how much memory the entries take that clients asked for. */
  long heldBytes() {
    long count = entries.databases().size();
    count += entries.containers().size();
    count += entries.scripts().size();
    count += entries.users().size();
    count += entries.permissions().size();
    long bytes = count * ENTRY_BYTES;
    for (ContainerEntry container : entries.containers().values()) {
      bytes += container.definitionBytes();
    }
    for (ScriptEntry script : entries.scripts().values()) {
      bytes += script.definition().source().length();
    }
    return bytes;
  }

  CatalogEntries entries() {
    return entries;
  }

  Counters counters() {
    return counters;
  }

  Secrets secrets() {
    return secrets;
  }
}
