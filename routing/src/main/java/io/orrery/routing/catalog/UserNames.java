package io.orrery.routing.catalog;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the users of a catalog and their permissions by name or rid. */
final class UserNames {
  private final Map<Integer, Named<UserEntry>> usersByDatabase = new HashMap<>();
  private final Map<Integer, Named<PermissionEntry>> permissionsByUser = new HashMap<>();
  private final Map<String, PermissionEntry> permissionsByRid = new HashMap<>();

  /** The entries of one owner. */
  private record Named<E>(
      Map<String, E> byId, Map<String, E> byRid, NavigableMap<Integer, E> byNumber) {
    Named() {
      this(new HashMap<>(), new HashMap<>(), new TreeMap<>());
    }

    @Nullable E find(String idOrRid) {
      return CatalogNames.find(byId, byRid, idOrRid);
    }
  }

  UserNames(Iterable<UserEntry> users, Iterable<PermissionEntry> permissions) {
    for (UserEntry user : users) {
      Named<UserEntry> named =
          usersByDatabase.computeIfAbsent(user.database().number(), number -> new Named<>());
      named.byId.put(user.id(), user);
      named.byRid.put(user.rid(), user);
      named.byNumber.put(user.number(), user);
    }
    for (PermissionEntry permission : permissions) {
      Named<PermissionEntry> named =
          permissionsByUser.computeIfAbsent(permission.user(), number -> new Named<>());
      String rid = permission.rid();
      named.byId.put(permission.id(), permission);
      named.byRid.put(rid, permission);
      named.byNumber.put(permission.number(), permission);
      permissionsByRid.put(rid, permission);
    }
  }

  @Nullable UserEntry user(DatabaseEntry database, String idOrRid) {
    Named<UserEntry> named = usersByDatabase.get(database.number());
    return named == null ? null : named.find(idOrRid);
  }

  NavigableMap<Integer, UserEntry> of(DatabaseEntry database) {
    Named<UserEntry> named = usersByDatabase.get(database.number());
    return named == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(named.byNumber);
  }

  @Nullable PermissionEntry permission(UserEntry user, String idOrRid) {
    Named<PermissionEntry> named = permissionsByUser.get(user.number());
    return named == null ? null : named.find(idOrRid);
  }

  @Nullable PermissionEntry permission(String rid) {
    return permissionsByRid.get(rid);
  }

  NavigableMap<Integer, PermissionEntry> of(UserEntry user) {
    Named<PermissionEntry> named = permissionsByUser.get(user.number());
    return named == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(named.byNumber);
  }
}
