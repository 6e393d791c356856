package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.Throughput;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.OfferEntry;
import io.orrery.routing.definition.ThroughputRules;
import io.orrery.value.MalformedBody;
import org.jspecify.annotations.Nullable;

/** Shows and changes the throughput of containers and databases. */
final class Offers {
  private final Catalog catalog;
  private final Elasticity elasticity;
  private final Limits limits;

  Offers(Catalog catalog, Elasticity elasticity, Limits limits) {
    this.catalog = catalog;
    this.elasticity = elasticity;
    this.limits = limits;
  }

  private static OfferEntry resolve(CatalogImage image, String idOrRid) {
    OfferEntry offer = image.offer(idOrRid);
    if (offer == null) {
      throw new Refused(new Refusal.NotFound());
    }
    return offer;
  }

  Answer read(Operation.ReadOffer request) {
    CatalogImage image = catalog.image();
    OfferEntry offer = resolve(image, request.idOrRid());
    var etag = offer.version().etag();
    return Preconditions.isKnown(request.precondition(), etag)
        ? Answer.of(new Outcome.NotModified(etag), MetadataCharges.READ)
        : Answer.of(shown(image, offer), MetadataCharges.READ);
  }

  Answer replace(Operation.ReplaceOffer request) {
    OfferEntry changed =
        catalog.change(
            draft -> {
              OfferEntry present = resolve(draft.before(), request.idOrRid());
              Preconditions.require(request.precondition(), present.version().etag());
              Throughput asked = ThroughputRules.ofOffer(request.definition(), present.rid());
              ContainerEntry container = containerOf(draft.before(), present);
              refuseOutside(asked, present, container);
              return draft.replace(present, asked);
            });
    elasticity.look();
    return Answer.of(shown(catalog.image(), changed), MetadataCharges.WRITE);
  }

  private Outcome shown(CatalogImage image, OfferEntry offer) {
    boolean pending =
        image.containers().values().stream()
            .filter(container -> isFor(image, offer, container))
            .anyMatch(container -> Provisioning.isPending(image, container, limits));
    return new Outcome.OfferRead(
        offer.resource(),
        ThroughputRules.minimum(offer.autoscale(), offer.highestUnits()),
        pending);
  }

  /** Whether the container draws upon the offer, its own or that of its database. */
  private static boolean isFor(CatalogImage image, OfferEntry offer, ContainerEntry container) {
    return offer.resourceRid().equals(container.rid())
        || (offer.resourceRid().equals(container.database().rid())
            && image.offerOf(container.rid()) == null);
  }

  private static @Nullable ContainerEntry containerOf(CatalogImage image, OfferEntry offer) {
    return image.containers().values().stream()
        .filter(container -> container.rid().equals(offer.resourceRid()))
        .findFirst()
        .orElse(null);
  }

  private void refuseOutside(
      Throughput asked, OfferEntry present, @Nullable ContainerEntry container) {
    boolean fixed = container != null && container.key().isNone();
    ThroughputRules.check(asked, fixed);
    int units = asked.peakUnitsPerSecond();
    boolean autoscale = asked instanceof Throughput.Autoscale;
    int least = ThroughputRules.minimum(autoscale, present.highestUnits());
    if (units < least) {
      throw new MalformedBody(
          "The throughput of "
              + units
              + " RU/s is below the least for this resource, which follows from the highest it"
              + " ever had: ask for "
              + least
              + " or more.");
    }
    if (container != null && !container.splittable()) {
      int capacity = container.map().ranges().size() * limits.physicalPartitionUnitsPerSecond();
      if (units > capacity) {
        throw new MalformedBody(
            ThroughputRules.aboveCapacity(
                units,
                capacity,
                fixed ? "it has no partition key" : "it was created with less than 1,000 RU/s"));
      }
    }
  }
}
