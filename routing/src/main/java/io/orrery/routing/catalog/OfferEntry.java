package io.orrery.routing.catalog;

import io.orrery.operation.Body;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceId;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.LinkedHashMap;

/**
 * The throughput given to a container or shared by the containers of a database.
 *
 * @param resourceRid the container or database
 * @param resourceSelf its path of rids
 * @param highestUnits the most that it ever was
 */
public record OfferEntry(
    int number,
    Version version,
    String resourceRid,
    String resourceSelf,
    Throughput throughput,
    int highestUnits) {

  public static OfferEntry of(
      int number, Version version, String rid, String self, Throughput throughput) {
    return new OfferEntry(number, version, rid, self, throughput, throughput.peakUnitsPerSecond());
  }

  public OfferEntry with(Version next, Throughput changed) {
    return new OfferEntry(
        number,
        next,
        resourceRid,
        resourceSelf,
        changed,
        Math.max(highestUnits, changed.peakUnitsPerSecond()));
  }

  public boolean autoscale() {
    return throughput instanceof Throughput.Autoscale;
  }

  public String rid() {
    return ResourceId.offer(number);
  }

  public Resource resource() {
    return new Resource(
        Resource.Kind.OFFER,
        rid(),
        rid(),
        "offers/" + rid() + "/",
        version.etag(),
        version.timestampSeconds(),
        Body.json(Json.write(json())));
  }

  private Value json() {
    var members = new LinkedHashMap<String, Value>();
    members.put("resource", Value.of(resourceSelf));
    members.put("offerType", Value.of("Invalid"));
    members.put("offerResourceId", Value.of(resourceRid));
    members.put("offerVersion", Value.of("V2"));
    members.put("content", content());
    members.put("id", Value.of(rid()));
    return new Value.Obj(members);
  }

  private Value content() {
    var content = new LinkedHashMap<String, Value>();
    content.put("offerThroughput", Value.of((long) currentUnits()));
    content.put("offerIsRUPerMinuteThroughputEnabled", Value.FALSE);
    var minimum = new LinkedHashMap<String, Value>();
    minimum.put("maxThroughputEverProvisioned", Value.of((long) highestUnits));
    minimum.put("maxConsumedStorageEverInKB", Value.of(0L));
    content.put("offerMinimumThroughputParameters", new Value.Obj(minimum));
    if (throughput instanceof Throughput.Autoscale(int maximum, int percent)) {
      content.put("offerAutopilotSettings", autoscale(maximum, percent));
    }
    return new Value.Obj(content);
  }

  /** Autoscale idles at a tenth of its maximum. */
  private int currentUnits() {
    return switch (throughput) {
      case Throughput.Manual(int units) -> units;
      case Throughput.Autoscale(int maximum, int percent) -> maximum / 10;
    };
  }

  private static Value autoscale(int maximum, int percent) {
    var settings = new LinkedHashMap<String, Value>();
    settings.put("tier", Value.of(0L));
    settings.put("maximumTierThroughput", Value.of((long) maximum));
    settings.put("autoUpgrade", Value.FALSE);
    settings.put("maxThroughput", Value.of((long) maximum));
    if (percent > 0) {
      var policy = new LinkedHashMap<String, Value>();
      policy.put("incrementPercent", Value.of((long) percent));
      var upgrade = new LinkedHashMap<String, Value>();
      upgrade.put("throughputPolicy", new Value.Obj(policy));
      settings.put("autoUpgradePolicy", new Value.Obj(upgrade));
    }
    return new Value.Obj(settings);
  }
}
