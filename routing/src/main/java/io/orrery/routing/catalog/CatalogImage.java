package io.orrery.routing.catalog;

import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One state of the catalog. Immutable; a change makes another one. */
public final class CatalogImage {
  static final CatalogImage EMPTY =
      new CatalogImage(
          Counters.FIRST, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  private final Counters counters;
  private final NavigableMap<Integer, DatabaseEntry> databases;
  private final NavigableMap<Integer, ContainerEntry> containers;
  private final NavigableMap<Integer, OfferEntry> offers;
  private final NavigableMap<Long, Intent> intents;
  private final Map<String, DatabaseNames> databasesById = new HashMap<>();
  private final Map<String, DatabaseNames> databasesByRid = new HashMap<>();
  private final Map<String, OfferEntry> offersByRid = new HashMap<>();
  private final Map<String, OfferEntry> offersByResource = new HashMap<>();

  /** A database and the ways to find its containers. */
  private record DatabaseNames(
      DatabaseEntry database,
      Map<String, ContainerEntry> byId,
      Map<String, ContainerEntry> byRid,
      NavigableMap<Integer, ContainerEntry> byNumber) {

    @Nullable ContainerEntry find(String idOrRid) {
      ContainerEntry found = byId.get(idOrRid);
      return found != null ? found : byRid.get(idOrRid);
    }
  }

  CatalogImage(
      Counters counters,
      NavigableMap<Integer, DatabaseEntry> databases,
      NavigableMap<Integer, ContainerEntry> containers,
      NavigableMap<Integer, OfferEntry> offers,
      NavigableMap<Long, Intent> intents) {
    this.counters = counters;
    this.databases = Collections.unmodifiableNavigableMap(databases);
    this.containers = Collections.unmodifiableNavigableMap(containers);
    this.offers = Collections.unmodifiableNavigableMap(offers);
    this.intents = Collections.unmodifiableNavigableMap(intents);
    for (DatabaseEntry database : databases.values()) {
      var names = new DatabaseNames(database, new HashMap<>(), new HashMap<>(), new TreeMap<>());
      databasesById.put(database.id(), names);
      databasesByRid.put(database.rid(), names);
    }
    for (ContainerEntry container : containers.values()) {
      DatabaseNames names = namesOf(container.database());
      names.byId.put(container.id(), container);
      names.byRid.put(container.rid(), container);
      names.byNumber.put(container.number(), container);
    }
    for (OfferEntry offer : offers.values()) {
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
    return namesOf(database).byId.containsKey(id);
  }

  /** The container of that name, or else of that rid; null when it or its database is not there. */
  public @Nullable ContainerEntry container(ContainerRef ref) {
    DatabaseNames names = names(ref.database());
    return names == null ? null : names.find(ref.idOrRid());
  }

  /** The container of that number, whatever its name is now. */
  public @Nullable ContainerEntry container(int number) {
    return containers.get(number);
  }

  private @Nullable DatabaseNames names(DatabaseRef ref) {
    DatabaseNames names = databasesById.get(ref.idOrRid());
    return names != null ? names : databasesByRid.get(ref.idOrRid());
  }

  public @Nullable OfferEntry offer(String idOrRid) {
    return offersByRid.get(idOrRid);
  }

  /** The offer of the container or database with this rid; null when it has none of its own. */
  public @Nullable OfferEntry offerOf(String resourceRid) {
    return offersByResource.get(resourceRid);
  }

  public NavigableMap<Integer, DatabaseEntry> databases() {
    return databases;
  }

  public NavigableMap<Integer, ContainerEntry> containers() {
    return containers;
  }

  public NavigableMap<Integer, ContainerEntry> containersOf(DatabaseEntry database) {
    return Collections.unmodifiableNavigableMap(namesOf(database).byNumber);
  }

  public NavigableMap<Integer, OfferEntry> offers() {
    return offers;
  }

  public Collection<Intent> intents() {
    return intents.values();
  }

  NavigableMap<Long, Intent> intentsByNumber() {
    return intents;
  }

  Counters counters() {
    return counters;
  }
}
