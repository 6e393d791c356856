package io.orrery.nosql;

import static io.netty.handler.codec.http.HttpMethod.GET;
import static io.netty.handler.codec.http.HttpMethod.POST;
import static io.netty.handler.codec.http.HttpMethod.PUT;
import static io.orrery.nosql.ResourcePath.Shape.OFFER;
import static io.orrery.nosql.ResourcePath.Shape.OFFERS;

import io.orrery.operation.Operation;
import io.orrery.operation.ResourceFeed;
import java.util.List;

/** Offers: the throughput of databases and containers. */
final class OfferRoutes {
  static final List<Route> ROUTES =
      List.of(
          Route.read("ListOffers", GET, OFFERS, OfferRoutes::list),
          Route.read("QueryOffers", POST, OFFERS, OfferRoutes::query).when(QueryDocument::isIn),
          Route.read("ReadOffer", GET, OFFER, OfferRoutes::read),
          Route.write("ReplaceOffer", PUT, OFFER, OfferRoutes::replace));

  private OfferRoutes() {}

  private static Operation list(NosqlRequest request) {
    return new Operation.ListResources(new ResourceFeed.Offers(), NosqlCodec.page(request), null);
  }

  private static Operation query(NosqlRequest request) {
    return new Operation.ListResources(
        new ResourceFeed.Offers(), NosqlCodec.page(request), QueryDocument.read(request));
  }

  private static Operation read(NosqlRequest request) {
    return new Operation.ReadOffer(request.path().name(0), NosqlCodec.precondition(request));
  }

  private static Operation replace(NosqlRequest request) {
    return new Operation.ReplaceOffer(
        request.path().name(0), NosqlCodec.body(request), NosqlCodec.precondition(request));
  }
}
