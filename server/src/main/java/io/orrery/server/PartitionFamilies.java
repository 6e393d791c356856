package io.orrery.server;

import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.DatabaseFigures.OfNode;
import io.orrery.operation.DatabaseFigures.OfPartition;
import io.orrery.operation.DatabaseFigures.OfReshapes;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The figures of partitions in the Prometheus text format. Made anew from what there is at each
 * scrape, so that a container that is gone leaves nothing behind.
 */
final class PartitionFamilies {
  private final DatabaseFigures figures;
  private final boolean named;
  private final StringBuilder text = new StringBuilder();

  private PartitionFamilies(DatabaseFigures figures, boolean named) {
    this.figures = figures;
    this.named = named;
  }

  /**
   * @param named one line for each partition with the names it belongs to, or one for all
   */
  static String text(DatabaseFigures figures, boolean named) {
    var families = new PartitionFamilies(figures, named);
    families.partitions();
    families.reshapes();
    families.node();
    return families.text.toString();
  }

  private void partitions() {
    each("bytes", "gauge", "Size of the items.", OfPartition::bytes);
    each("items", "gauge", "Items.", OfPartition::items);
    each("logical_partitions", "gauge", "Partition keys.", OfPartition::logicalPartitions);
    each(
        "units_granted",
        "gauge",
        "Request units per second that it may use.",
        OfPartition::unitsPerSecondGranted);
    each("units_used_total", "counter", "Request units used.", OfPartition::unitsUsed);
    each("throttled_total", "counter", "Requests answered with 429.", OfPartition::throttled);
    each("expired_total", "counter", "Expired items removed.", OfPartition::expired);
    each(
        "quarantined_items",
        "gauge",
        "Items that maintenance could not read and stepped over.",
        OfPartition::quarantined);
  }

  private void each(
      String name, String type, String meaning, ToDoubleFunction<OfPartition> figure) {
    String family = "orrery_partition_" + name;
    describe(family, type, meaning);
    if (!named) {
      double sum = figures.partitions().stream().mapToDouble(figure).sum();
      text.append(family).append(' ').append(text(sum)).append('\n');
      return;
    }
    for (OfPartition partition : figures.partitions()) {
      line(
          family,
          "database=\""
              + escaped(partition.database())
              + "\",container=\""
              + escaped(partition.container())
              + "\",range=\""
              + partition.rangeId()
              + "\"",
          text(figure.applyAsDouble(partition)));
    }
  }

  private void reshapes() {
    String ended = "orrery_reshapes_total";
    describe(ended, "counter", "Splits and merges that ended.");
    for (OfReshapes kind : figures.reshapes()) {
      line(ended, outcome(kind, "succeeded"), Long.toString(kind.succeeded()));
      line(ended, outcome(kind, "failed"), Long.toString(kind.failed()));
    }
    String running = "orrery_reshapes_running";
    describe(running, "gauge", "Splits and merges under way.");
    for (OfReshapes kind : figures.reshapes()) {
      line(running, "kind=\"" + kind.kind() + "\"", Long.toString(kind.running()));
    }
  }

  private void node() {
    OfNode node = figures.node();
    if (node != null) {
      one("orrery_node_leads", "gauge", "Whether it changes the catalog.", node.leads() ? 1 : 0);
      one("orrery_node_forwarded_total", "counter", "Operations sent on.", node.forwarded());
      one(
          "orrery_node_overtaken_total",
          "counter",
          "Commits refused because another node had taken over.",
          node.overtaken());
      String unreachable = "orrery_node_unreachable";
      describe(unreachable, "gauge", "Nodes that are members but cannot be reached from here.");
      node.unreachable().forEach(to -> line(unreachable, "node=\"" + escaped(to) + "\"", "1"));
    }
  }

  private void one(String family, String type, String meaning, long value) {
    describe(family, type, meaning);
    text.append(family).append(' ').append(value).append('\n');
  }

  private static String outcome(OfReshapes kind, String outcome) {
    return "kind=\"" + kind.kind() + "\",outcome=\"" + outcome + "\"";
  }

  private void describe(String family, String type, String meaning) {
    text.append("# HELP ").append(family).append(' ').append(meaning).append('\n');
    text.append("# TYPE ").append(family).append(' ').append(type).append('\n');
  }

  private void line(String family, String labels, String value) {
    text.append(family).append('{').append(labels).append("} ").append(value).append('\n');
  }

  private static String text(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
