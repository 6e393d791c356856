package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.DELETE;
import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.PATCH;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.ITEM;
import static io.orrery.nosql.ResourcePath.Shape.ITEMS;
import static io.orrery.nosql.ResourcePath.Shape.KEY_DELETION;

import io.orrery.operation.Operation;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Items. A POST to the feed means, in this order: plan, batch, query, upsert or create. */
final class ItemRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ReadItem", GET, ITEM, ItemRoutes::read),
          Route.write("ReplaceItem", PUT, ITEM, ItemRoutes::replace),
          Route.write("PatchItem", PATCH, ITEM, ItemRoutes::patch),
          Route.write("DeleteItem", DELETE, ITEM, ItemRoutes::delete),
          Route.read("PlanQuery", POST, ITEMS, ItemRoutes::plan)
              .when(request -> request.says(NosqlHeaders.IS_QUERY_PLAN)),
          Route.write("ExecuteBatch", POST, ITEMS, BatchDocument::read)
              .when(request -> request.says(NosqlHeaders.IS_BATCH)),
          Route.read("QueryItems", POST, ITEMS, ItemRoutes::query).when(QueryDocument::isIn),
          Route.write("UpsertItem", POST, ITEMS, ItemRoutes::upsert)
              .when(request -> request.says(NosqlHeaders.IS_UPSERT)),
          Route.write("CreateItem", POST, ITEMS, ItemRoutes::create),
          Route.read("ReadChangeFeed", GET, ITEMS, ChangeFeedRequest::read)
              .when(request -> request.has(NosqlHeaders.A_IM)),
          Route.read("ReadItemFeed", GET, ITEMS, ItemRoutes::feed),
          Route.write("DeleteLogicalPartition", POST, KEY_DELETION, ItemRoutes::deletePartition));

  private ItemRoutes() {}

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadItem(
        NosqlCodec.itemScope(request), NosqlCodec.item(request), NosqlCodec.precondition(request));
  }

  private static Operation create(NosqlRequest request) {
    return triggered(
        request, new Operation.CreateItem(NosqlCodec.itemScope(request), NosqlCodec.body(request)));
  }

  private static Operation upsert(NosqlRequest request) {
    return triggered(
        request,
        new Operation.UpsertItem(
            NosqlCodec.itemScope(request),
            NosqlCodec.body(request),
            NosqlCodec.precondition(request)));
  }

  private static Operation replace(NosqlRequest request) {
    return triggered(
        request,
        new Operation.ReplaceItem(
            NosqlCodec.itemScope(request),
            NosqlCodec.item(request),
            NosqlCodec.body(request),
            NosqlCodec.precondition(request)));
  }

  private static Operation patch(NosqlRequest request) {
    return triggered(
        request,
        new Operation.PatchItem(
            NosqlCodec.itemScope(request),
            NosqlCodec.item(request),
            PatchDocument.read(NosqlCodec.body(request).bytes().array()),
            NosqlCodec.precondition(request)));
  }

  private static Operation delete(NosqlRequest request) {
    return triggered(
        request,
        new Operation.DeleteItem(
            NosqlCodec.itemScope(request),
            NosqlCodec.item(request),
            NosqlCodec.precondition(request)));
  }

  private static Operation feed(NosqlRequest request) {
    return new Operation.ReadItemFeed(
        NosqlCodec.container(request), NosqlCodec.feedScope(request), NosqlCodec.page(request));
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.QueryItems(
        NosqlCodec.container(request),
        QueryDocument.read(request),
        NosqlCodec.feedScope(request),
        NosqlCodec.page(request),
        QueryDocument.options(request));
  }

  private static Operation plan(NosqlRequest request) {
    return new Operation.PlanQuery(
        NosqlCodec.container(request),
        QueryDocument.read(request),
        NosqlCodec.partitionKey(request),
        QueryDocument.features(request));
  }

  private static Operation deletePartition(NosqlRequest request) {
    if (!request.has(NosqlHeaders.PARTITION_KEY)) {
      throw RefusedRequest.bad(
          "PartitionKey value must be supplied for this operation in"
              + " x-ms-documentdb-partitionkey.");
    }
    return new Operation.DeleteLogicalPartition(NosqlCodec.itemScope(request));
  }

  /** The operation, with the triggers that the request asks for. */
  private static Operation triggered(NosqlRequest request, Operation.ItemOperation operation) {
    List<String> before = names(request.header(NosqlHeaders.PRE_TRIGGERS));
    List<String> after = names(request.header(NosqlHeaders.POST_TRIGGERS));
    return before.isEmpty() && after.isEmpty()
        ? operation
        : new Operation.ExecuteWithTriggers(operation, before, after);
  }

  private static List<String> names(@Nullable String header) {
    return header == null
        ? List.of()
        : Arrays.stream(header.split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
  }
}
