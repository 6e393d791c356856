package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Operation.ListResources;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.SqlQuery;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.QueryBudget;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.OfferEntry;
import io.orrery.routing.catalog.ScriptEntry;
import io.orrery.routing.catalog.UserEntry;
import io.orrery.value.Json;
import io.orrery.value.ResourceJson;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists resources in order of creation, all or those a query picks. */
final class ResourceLists {
  private static final int PAGE_DEFAULT = 1_000;

  /** Scripts may be large, and definitions are written as JSON on an event loop. */
  private static final int PAGE_BYTES = 512 << 10;

  private final Catalog catalog;
  private final Continuations continuations;
  private final ResourceTokens tokens;

  ResourceLists(Catalog catalog, Continuations continuations, ResourceTokens tokens) {
    this.catalog = catalog;
    this.tokens = tokens;
    this.continuations = continuations;
  }

  /** Resources by number; a number is a position that stays true while others come and go. */
  private record Listing<E>(
      String name,
      NavigableMap<Integer, E> entries,
      Function<E, Resource> resource,
      Answer.@Nullable Owner owner) {

    /** A resource as queries see it. */
    Value value(E entry) {
      return ResourceJson.value(resource.apply(entry));
    }

    Answer answer(List<Body> rows, @Nullable String continuation) {
      return new Answer(new Outcome.RowPage(rows, continuation), MetadataCharges.READ, owner, null);
    }
  }

  Answer list(ListResources request) {
    CatalogImage image = catalog.image();
    return switch (request.feed()) {
      case ResourceFeed.Databases() ->
          page(
              request,
              new Listing<>("databases", image.databases(), DatabaseEntry::resource, null));
      case ResourceFeed.Containers(var ref) -> {
        var database = Databases.resolve(image, ref, new Refusal.OwnerNotFound());
        yield page(
            request,
            new Listing<>(
                "containers " + database.rid(),
                image.containersOf(database),
                ContainerEntry::resource,
                database.asOwner()));
      }
      case ResourceFeed.Offers() ->
          page(request, new Listing<>("offers", image.offers(), OfferEntry::resource, null));
      case ResourceFeed.Users(var ref) -> {
        var database = Databases.resolve(image, ref, new Refusal.OwnerNotFound());
        yield page(
            request,
            new Listing<>(
                "users " + database.rid(),
                image.usersOf(database),
                UserEntry::resource,
                database.asOwner()));
      }
      case ResourceFeed.Permissions(var ref, int seconds) -> {
        var user = Users.resolve(image, ref, new Refusal.OwnerNotFound());
        yield page(
            request,
            new Listing<>(
                "permissions " + user.rid(),
                image.permissionsOf(user),
                permission -> tokens.show(permission, seconds),
                user.asOwner()));
      }
      case ResourceFeed.Conflicts(var ref) ->
          page(request, nothing("conflicts", ItemRouter.resolve(image, ref).asOwner()));
      case ResourceFeed.EncryptionKeys(var ref) ->
          page(
              request,
              nothing(
                  "keys", Databases.resolve(image, ref, new Refusal.OwnerNotFound()).asOwner()));
      case ResourceFeed.Scripts(var ref, var kind) -> {
        var container = ItemRouter.resolve(image, ref);
        yield page(
            request,
            new Listing<>(
                kind.feed() + " " + container.rid(),
                image.scriptsOf(container, kind),
                ScriptEntry::resource,
                container.asOwner()));
      }
    };
  }

  /** A feed of what this server never has. */
  private static Listing<ScriptEntry> nothing(String name, Answer.Owner owner) {
    return new Listing<>(name, Collections.emptyNavigableMap(), ScriptEntry::resource, owner);
  }

  private <E> Answer page(ListResources request, Listing<E> listing) {
    SqlQuery query = request.query();
    String feed = listing.name + (query == null ? "" : '\n' + query.text());
    PageRequest page = request.page();
    int after =
        page.continuation() == null
            ? 0
            : Integer.parseInt(continuations.open(feed, page.continuation()));
    int max = page.maxItems() <= 0 ? PAGE_DEFAULT : page.maxItems();
    var rest = listing.entries.tailMap(after, false);
    if (query == null) {
      return resources(listing, feed, rest, max);
    }
    CompiledQuery compiled = Queries.compile(query.text());
    Parameters parameters = QueryParameters.of(query);
    try (var _ = parameters.budget()) {
      return compiled.isItemwise()
          ? rows(listing, feed, rest, max, compiled, parameters)
          : result(listing, feed, after, max, compiled, parameters);
    }
  }

  private <E> Answer resources(
      Listing<E> listing, String feed, NavigableMap<Integer, E> rest, int max) {
    var found = new ArrayList<Resource>();
    int bytes = 0;
    String continuation = null;
    for (var entry : rest.entrySet()) {
      Resource resource = listing.resource.apply(entry.getValue());
      found.add(resource);
      bytes += resource.definition().bytes().size();
      boolean full = found.size() == max || bytes >= PAGE_BYTES;
      if (full && entry.getKey() < rest.lastKey()) {
        continuation = continuations.seal(feed, Integer.toString(entry.getKey()));
        break;
      }
    }
    return new Answer(
        new Outcome.ResourcePage(found, continuation), MetadataCharges.READ, listing.owner, null);
  }

  private <E> Answer rows(
      Listing<E> listing,
      String feed,
      NavigableMap<Integer, E> rest,
      int max,
      CompiledQuery query,
      Parameters parameters) {
    List<Body> found = new ArrayList<>();
    int bytes = 0;
    String continuation = null;
    for (var entry : rest.entrySet()) {
      for (Value row : query.rows(listing.value(entry.getValue()), parameters)) {
        byte[] json = Json.write(row);
        bytes += json.length;
        parameters.budget().hold(json.length);
        found.add(Body.json(json));
      }
      boolean full = found.size() >= max || bytes >= PAGE_BYTES;
      if (full && entry.getKey() < rest.lastKey()) {
        continuation = continuations.seal(feed, Integer.toString(entry.getKey()));
        break;
      }
    }
    return listing.answer(found, continuation);
  }

  /** Sorted, counted or grouped: made anew for each page, its position is a number of rows. */
  private <E> Answer result(
      Listing<E> listing,
      String feed,
      int after,
      int max,
      CompiledQuery query,
      Parameters parameters) {
    List<Value> rows = query.run(values(listing, parameters.budget()), parameters);
    List<Body> found = new ArrayList<>();
    int next = after;
    for (int bytes = 0; next < rows.size() && found.size() < max && bytes < PAGE_BYTES; next++) {
      byte[] json = Json.write(rows.get(next));
      bytes += json.length;
      found.add(Body.json(json));
    }
    return listing.answer(
        found, next < rows.size() ? continuations.seal(feed, Integer.toString(next)) : null);
  }

  private static <E> List<Value> values(Listing<E> listing, QueryBudget budget) {
    List<Value> values = new ArrayList<>();
    for (E entry : listing.entries.values()) {
      Resource resource = listing.resource.apply(entry);
      budget.hold(resource.definition().bytes().size());
      values.add(ResourceJson.value(resource));
    }
    return values;
  }
}
