package io.orrery.routing.catalog;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One rule for all that can be named in two ways. */
final class CatalogNames {
  private CatalogNames() {}

  /**
   * What a client means by a text. A rid is the only one of its kind, an id can be chosen to look
   * like one: so the id comes second. Only what ends like a rid is looked up as one.
   */
  static <E> @Nullable E find(Map<String, E> byId, Map<String, E> byRid, String idOrRid) {
    E found = idOrRid.endsWith("=") ? byRid.get(idOrRid) : null;
    return found != null ? found : byId.get(idOrRid);
  }
}
