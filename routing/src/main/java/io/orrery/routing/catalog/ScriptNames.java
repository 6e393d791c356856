package io.orrery.routing.catalog;

import io.orrery.operation.ScriptKind;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the scripts of a catalog by container, kind and name. */
final class ScriptNames {
  private final Map<Place, Scripts> byPlace = new HashMap<>();

  /** Where ids are unique: one kind in one container. */
  private record Place(int container, ScriptKind kind) {}

  private record Scripts(
      Map<String, ScriptEntry> byId,
      Map<String, ScriptEntry> byRid,
      NavigableMap<Integer, ScriptEntry> byNumber) {
    static Scripts none() {
      return new Scripts(new HashMap<>(), new HashMap<>(), new TreeMap<>());
    }
  }

  ScriptNames(Iterable<ScriptEntry> all) {
    for (ScriptEntry script : all) {
      Scripts scripts =
          byPlace.computeIfAbsent(
              new Place(script.container(), script.kind()), place -> Scripts.none());
      scripts.byId.put(script.id(), script);
      scripts.byRid.put(script.rid(), script);
      scripts.byNumber.put(script.number(), script);
    }
  }

  @Nullable ScriptEntry find(ContainerEntry container, ScriptKind kind, String idOrRid) {
    Scripts scripts = byPlace.get(new Place(container.number(), kind));
    return scripts == null ? null : CatalogNames.find(scripts.byId, scripts.byRid, idOrRid);
  }

  boolean hasNamed(ContainerEntry container, ScriptKind kind, String id) {
    Scripts scripts = byPlace.get(new Place(container.number(), kind));
    return scripts != null && scripts.byId.containsKey(id);
  }

  NavigableMap<Integer, ScriptEntry> of(ContainerEntry container, ScriptKind kind) {
    Scripts scripts = byPlace.get(new Place(container.number(), kind));
    return scripts == null
        ? Collections.emptyNavigableMap()
        : Collections.unmodifiableNavigableMap(scripts.byNumber);
  }
}
