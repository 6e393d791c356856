package io.orrery.routing;

import io.orrery.operation.Throughput;
import io.orrery.partition.LargeKey;
import io.orrery.partition.Sizes;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.Intent;
import io.orrery.routing.catalog.MappedRange;
import io.orrery.value.KeyValues;
import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What operators read, in JSON. */
final class ManagementJson {
  private static final double HUNDRED = 100;
  private static final double THOUSAND = 1_000;

  private ManagementJson() {}

  /** A container in a list of them, with the sum of its partitions. */
  static Value container(CatalogImage image, ContainerEntry container, Sizes sum, boolean pending) {
    Map<String, Value> json = named(container);
    json.put("throughput", throughput(image, container));
    json.put("partitions", Value.of((long) container.map().ranges().size()));
    json.put("bytes", Value.of(sum.bytes()));
    json.put("items", Value.of(sum.items()));
    json.put("pending", Value.of(pending));
    return new Value.Obj(json);
  }

  static Value partitions(
      CatalogImage image, ContainerEntry container, List<Value> partitions, boolean pending) {
    Map<String, Value> json = named(container);
    json.put("partitionKey", container.definition().keyPaths());
    json.put("throughput", throughput(image, container));
    json.put("splittable", Value.of(container.splittable()));
    json.put("pending", Value.of(pending));
    json.put("partitions", new Value.Arr(partitions));
    return new Value.Obj(json);
  }

  private static Map<String, Value> named(ContainerEntry container) {
    var json = new LinkedHashMap<String, Value>();
    json.put("database", Value.of(container.database().id()));
    json.put("container", Value.of(container.id()));
    return json;
  }

  private static Value throughput(CatalogImage image, ContainerEntry container) {
    Throughput throughput = Provisioning.of(image, container);
    String kind =
        switch (throughput) {
          case Throughput.Manual manual -> "manual";
          case Throughput.Autoscale autoscale -> "autoscale";
        };
    var json = new LinkedHashMap<String, Value>();
    json.put("kind", Value.of(Provisioning.isShared(image, container) ? "shared" : kind));
    json.put("unitsPerSecond", Value.of((long) throughput.peakUnitsPerSecond()));
    return new Value.Obj(json);
  }

  static Value partition(
      MappedRange range,
      Sizes sizes,
      long quarantined,
      Budget.Usage usage,
      List<LargeKey> largest,
      @Nullable Intent busy,
      @Nullable String node) {
    var json = new LinkedHashMap<String, Value>();
    json.put("id", Value.of(range.id()));
    json.put("minInclusive", Value.of(range.epks().min().hex()));
    json.put("maxExclusive", Value.of(range.epks().max().hex()));
    json.put("parents", all(range.parents(), parent -> Value.of(Long.toString(parent))));
    json.put("bytes", Value.of(sizes.bytes()));
    json.put("items", Value.of(sizes.items()));
    json.put("logicalPartitions", Value.of(sizes.logicalPartitions()));
    json.put("quarantinedItems", Value.of(quarantined));
    json.put("unitsPerSecondGranted", rounded(usage.unitsPerSecond(), HUNDRED));
    json.put("unitsUsed", rounded(usage.unitsUsed(), HUNDRED));
    json.put("unitsPerSecondUsed", rounded(usage.recentPerSecond(), HUNDRED));
    json.put("throttled", Value.of(usage.throttled()));
    json.put("hottestKeys", all(usage.hottest(), ManagementJson::heavy));
    json.put("largestKeys", all(largest, ManagementJson::large));
    json.put("busy", busy == null ? Value.NULL : Value.of(Long.toString(busy.number())));
    json.put("partition", Value.of(range.partition().value()));
    if (node != null) {
      json.put("node", Value.of(node));
    }
    return new Value.Obj(json);
  }

  private static Value heavy(HeavyKeys.Heavy heavy) {
    var json = new LinkedHashMap<String, Value>();
    json.put("key", KeyValues.value(heavy.key()));
    json.put("share", rounded(heavy.share(), THOUSAND));
    return new Value.Obj(json);
  }

  private static Value large(LargeKey large) {
    var json = new LinkedHashMap<String, Value>();
    json.put("key", KeyValues.value(large.key()));
    json.put("bytes", Value.of(large.bytes()));
    json.put("items", Value.of(large.items()));
    return new Value.Obj(json);
  }

  static Value reshape(Reshape.Report report) {
    Reshape.Plan plan = report.plan();
    var json = new LinkedHashMap<String, Value>();
    json.put("id", Value.of(Long.toString(report.id())));
    json.put("kind", Value.of(plan.kind().name().toLowerCase(Locale.ROOT)));
    json.put("cause", Value.of(plan.cause().name().toLowerCase(Locale.ROOT)));
    json.putAll(named(plan.container()));
    json.put("sources", all(plan.sources(), source -> Value.of(source.id())));
    json.put("targets", all(report.targetIds(), Value::of));
    String phase = report.phase().name();
    json.put("phase", Value.of(phase.charAt(0) + phase.substring(1).toLowerCase(Locale.ROOT)));
    json.put("stepped", Value.of(report.stepped()));
    json.put("began", Value.of(report.began().toString()));
    json.put("ended", orNull(report.ended()));
    json.put("freezeMillis", Value.of(report.freeze().toMillis()));
    json.put("error", orNull(report.failure()));
    return new Value.Obj(json);
  }

  static Value of(String name, Value value) {
    return new Value.Obj(Map.of(name, value));
  }

  static <T> Value all(List<T> parts, Function<T, Value> json) {
    return new Value.Arr(parts.stream().map(json).toList());
  }

  private static Value orNull(@Nullable Object text) {
    return text == null ? Value.NULL : Value.of(text.toString());
  }

  private static Value rounded(double number, double steps) {
    return Value.of(Math.round(number * steps) / steps);
  }
}
