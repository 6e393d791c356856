package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceId;
import io.orrery.operation.SqlQuery;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.routing.catalog.UserEntry;
import io.orrery.routing.definition.PermissionDefinition;
import io.orrery.routing.definition.ResourceLink;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the links of permissions mean when they are written. A permission keeps the rid, so
 * that what is made later under the same name is not opened by it.
 */
final class PermittedResources {
  private static final String ITEM_QUERY = "SELECT VALUE c._rid FROM c WHERE c.id = @id";

  private final ItemQueries queries;

  PermittedResources(ItemQueries queries) {
    this.queries = queries;
  }

  /**
   * The rid of the resource; blocks where it is an item.
   *
   * @throws Refused when it is not there
   * @throws MalformedBody when no permission of the user can be for it
   */
  String find(CatalogImage image, UserEntry user, PermissionDefinition definition) {
    ResourceLink link = definition.link();
    ContainerEntry container = image.container(link.container());
    if (container == null) {
      throw new Refused(new Refusal.NotFound());
    }
    if (container.database().number() != user.database().number()) {
      throw new MalformedBody("The permission.resource must be in the database of the user");
    }
    refuseOddKey(container, definition.key());
    return switch (link.within()) {
      case null -> container.rid();
      case ResourceLink.Script(var kind, String name) -> {
        ScriptEntry script = image.script(container, kind, name);
        if (script == null) {
          throw new Refused(new Refusal.NotFound());
        }
        yield script.rid();
      }
      case ResourceLink.Item(String name) -> item(container, link, name, definition.key());
    };
  }

  private static void refuseOddKey(ContainerEntry container, @Nullable PartitionKey key) {
    int most = container.key().isNone() ? 0 : container.key().paths().size();
    if (key != null && key.components().size() > most) {
      throw new MalformedBody(
          "The permission.resourcePartitionKey has more values than the container's partition key,"
              + " which has "
              + most);
    }
  }

  private String item(
      ContainerEntry container, ResourceLink link, String name, @Nullable PartitionKey key) {
    boolean byRid = link.container().idOrRid().equals(container.rid());
    if (byRid && ResourceId.counterOf(container.rid(), name) >= 0) {
      return name;
    }
    var ref =
        new ContainerRef(link.container().database(), link.container().idOrRid(), container.rid());
    List<String> found = named(ref, name, key);
    if (found.isEmpty()) {
      throw new Refused(new Refusal.NotFound());
    }
    if (found.size() > 1) {
      throw new MalformedBody(
          "Several items have the id '"
              + name
              + "': name the one that is meant by resourcePartitionKey, or by its _self link");
    }
    return found.getFirst();
  }

  private List<String> named(ContainerRef container, String id, @Nullable PartitionKey key) {
    var query = new SqlQuery(ITEM_QUERY, Map.of("@id", Body.json(Json.write(Value.of(id)))));
    FeedScope scope = key == null ? new FeedScope.Whole() : new FeedScope.OfKey(key);
    var found = new ArrayList<String>();
    @Nullable String continuation = null;
    do {
      var page = new PageRequest(-1, continuation);
      var request = new Operation.QueryItems(container, query, scope, page, QueryOptions.ANYWHERE);
      switch (queries.query(request, () -> false).outcome()) {
        case Outcome.QueryPage(var rows, var next, var metrics, var index) -> {
          rows.forEach(
              row -> {
                if (Json.parse(row.array()) instanceof Value.Text(String rid)) {
                  found.add(rid);
                }
              });
          continuation = next;
        }
        case Refusal refusal -> throw new Refused(refusal);
        case Outcome other -> throw new IllegalStateException("A query ended as " + other);
      }
    } while (continuation != null && found.size() < 2);
    return found;
  }
}
