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
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.DatabaseEntry;
import io.orrery.routing.catalog.MappedRange;
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
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists resources in order of creation, all or those a query picks. */
final class ResourceLists {
  private static final int PAGE_DEFAULT = 1_000;

  /** Scripts may be large, and definitions are written as JSON on an event loop. */
  private static final int PAGE_BYTES = 512 << 10;

  private final Catalog catalog;
  private final Budgets budgets;
  private final Continuations continuations;
  private final ResourceTokens tokens;

  ResourceLists(
      Catalog catalog, Budgets budgets, Continuations continuations, ResourceTokens tokens) {
    this.catalog = catalog;
    this.budgets = budgets;
    this.tokens = tokens;
    this.continuations = continuations;
  }

  /**
   * Resources by number; a number is a position that stays true while others come and go.
   *
   * @param payer the container that pays for queries which compute; null where there is none
   */
  private record Listing<E>(
      String name,
      NavigableMap<Integer, E> entries,
      Function<E, Resource> resource,
      Answer.@Nullable Owner owner,
      @Nullable ContainerEntry payer) {

    Listing(
        String name,
        NavigableMap<Integer, E> entries,
        Function<E, Resource> resource,
        Answer.@Nullable Owner owner) {
      this(name, entries, resource, owner, null);
    }

    /** A resource as queries see it. */
    Value value(E entry) {
      return ResourceJson.value(resource.apply(entry));
    }
  }

  /**
   * A page of resources, or of what a query makes of them, which may compute for long.
   *
   * @param cancelled says when the page is no longer wanted
   */
  Answer list(ListResources request, BooleanSupplier cancelled) {
    CatalogImage image = catalog.image();
    return page(request, image, listing(request.feed(), image), cancelled);
  }

  private Listing<?> listing(ResourceFeed feed, CatalogImage image) {
    return switch (feed) {
      case ResourceFeed.Databases() ->
          new Listing<>("databases", image.databases(), DatabaseEntry::resource, null);
      case ResourceFeed.Containers(var ref) -> {
        var database = Databases.resolve(image, ref, new Refusal.OwnerNotFound());
        yield new Listing<>(
            "containers " + database.rid(),
            image.containersOf(database),
            ContainerEntry::resource,
            database.asOwner());
      }
      case ResourceFeed.Offers() ->
          new Listing<>("offers", image.offers(), OfferEntry::resource, null);
      case ResourceFeed.Users(var ref) -> {
        var database = Databases.resolve(image, ref, new Refusal.OwnerNotFound());
        yield new Listing<>(
            "users " + database.rid(),
            image.usersOf(database),
            UserEntry::resource,
            database.asOwner());
      }
      case ResourceFeed.Permissions(var ref, int seconds) -> {
        var user = Users.resolve(image, ref, new Refusal.OwnerNotFound());
        yield new Listing<>(
            "permissions " + user.rid(),
            image.permissionsOf(user),
            permission -> tokens.show(permission, seconds),
            user.asOwner());
      }
      case ResourceFeed.Conflicts(var ref) -> {
        var container = ItemRouter.resolve(image, ref);
        yield nothing("conflicts", container.asOwner(), container);
      }
      case ResourceFeed.EncryptionKeys(var ref) -> {
        var database = Databases.resolve(image, ref, new Refusal.OwnerNotFound());
        yield nothing("keys", database.asOwner(), null);
      }
      case ResourceFeed.Scripts(var ref, var kind) -> {
        var container = ItemRouter.resolve(image, ref);
        yield new Listing<>(
            kind.feed() + " " + container.rid(),
            image.scriptsOf(container, kind),
            ScriptEntry::resource,
            container.asOwner(),
            container);
      }
    };
  }

  /** A feed of what this server never has. */
  private static Listing<ScriptEntry> nothing(
      String name, Answer.Owner owner, @Nullable ContainerEntry payer) {
    return new Listing<>(
        name, Collections.emptyNavigableMap(), ScriptEntry::resource, owner, payer);
  }

  private <E> Answer page(
      ListResources request, CatalogImage image, Listing<E> listing, BooleanSupplier cancelled) {
    SqlQuery query = request.query();
    String feed = listing.name + (query == null ? "" : '\n' + query.text());
    PageRequest page = request.page();
    int after =
        page.continuation() == null
            ? 0
            : Integer.parseInt(continuations.open(feed, page.continuation()));
    int max = page.maxItems() <= 0 ? PAGE_DEFAULT : page.maxItems();
    if (query == null) {
      return resources(listing, feed, listing.entries.tailMap(after, false), max);
    }
    var draw = new PageDraw(budgets, MetadataCharges.READ);
    ContainerEntry payer = listing.payer;
    if (payer != null) {
      draw.begin(image, payer, null);
    }
    MappedRange range = payer == null ? null : payer.map().ranges().getFirst();
    Parameters parameters = QueryParameters.of(query, cancelled);
    try (var budget = parameters.budget()) {
      return draw.settled(
          () -> {
            var price = new PlanningCharge(draw, range, query, budget);
            Outcome outcome = rows(listing, feed, after, max, query, parameters);
            return new Answer(
                outcome, MetadataCharges.READ.plus(price.settle()), listing.owner, null);
          });
    }
  }

  private <E> Outcome rows(
      Listing<E> listing, String feed, int after, int max, SqlQuery query, Parameters parameters) {
    try {
      CompiledQuery compiled = Queries.compile(query.text());
      return compiled.isItemwise()
          ? rows(listing, feed, listing.entries.tailMap(after, false), max, compiled, parameters)
          : result(listing, feed, after, max, compiled, parameters);
    } catch (QueryRefused e) {
      return QueryRefusals.of(e);
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

  private <E> Outcome rows(
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
      parameters.budget().look();
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
    return new Outcome.RowPage(found, continuation);
  }

  /** Sorted, counted or grouped: made anew for each page, its position is a number of rows. */
  private <E> Outcome result(
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
    return new Outcome.RowPage(
        found, next < rows.size() ? continuations.seal(feed, Integer.toString(next)) : null);
  }

  private static <E> List<Value> values(Listing<E> listing, QueryBudget budget) {
    List<Value> values = new ArrayList<>();
    for (E entry : listing.entries.values()) {
      budget.look();
      Resource resource = listing.resource.apply(entry);
      budget.hold(resource.definition().bytes().size());
      values.add(ResourceJson.value(resource));
    }
    return values;
  }
}
