package io.orrery.routing;

import io.orrery.operation.ItemRef;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceId;
import io.orrery.routing.catalog.ContainerEntry;

/**
 * The links by which scripts name their container and its documents.
 *
 * @param self by rids, with a slash at its end
 * @param alt by names
 */
record ContainerLinks(String self, String alt) {
  private static final String DOCUMENTS = "docs/";

  static ContainerLinks of(ContainerEntry container) {
    return new ContainerLinks(
        "dbs/" + ResourceId.databaseOf(container.rid()) + "/colls/" + container.rid() + "/",
        "dbs/" + container.database().id() + "/colls/" + container.id());
  }

  /**
   * Scripts work in the container that they belong to.
   *
   * @throws Refused when the link names another
   */
  void requireContainer(String link) {
    String whole = link.endsWith("/") ? link : link + "/";
    if (!whole.equals(self) && !whole.equals(alt + "/")) {
      throw new Refused(
          new Refusal.Forbidden(
              "A script reaches the documents of its own container only: use getSelfLink()"));
    }
  }

  /** The document of a link. */
  ItemRef document(String link) {
    String whole = link.endsWith("/") ? link.substring(0, link.length() - 1) : link;
    int at = whole.lastIndexOf('/') + 1;
    String owner = whole.substring(0, at);
    if (!owner.endsWith(DOCUMENTS)) {
      throw new Refused(
          new Refusal.BadRequest("A document's link ends in docs/ and its id: '" + link + "'"));
    }
    String container = owner.substring(0, owner.length() - DOCUMENTS.length());
    requireContainer(container);
    String name = whole.substring(at);
    return container.equals(self) ? new ItemRef.ByRid(name) : new ItemRef.ById(name);
  }
}
