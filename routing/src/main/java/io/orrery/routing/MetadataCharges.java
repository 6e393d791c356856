package io.orrery.routing;

import io.orrery.operation.RequestCharge;

/** The price of work on the catalog, the same whatever comes of it. */
final class MetadataCharges {
  static final RequestCharge READ = RequestCharge.units(2);
  static final RequestCharge WRITE = RequestCharge.units(1);

  private MetadataCharges() {}
}
