package io.orrery.query.index;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which paths of an item are indexed: those its policy includes and, in every mode, the id, the
 * time of the last write and the partition key.
 */
public final class IndexPolicy implements UsableIndexes {
  private static final Value.Obj NONE =
      new Value.Obj(Map.of("indexingMode", Value.of("none"), "automatic", Value.FALSE));

  private final Value.Obj json;
  private final PartitionKeyDefinition key;
  private final boolean indexed;
  private final PatternTree tree = new PatternTree();
  private final List<CompositeIndex> composites;

  private IndexPolicy(Value.Obj json, PartitionKeyDefinition key) {
    this.json = json;
    this.key = key;
    this.indexed =
        !Value.of("none").equals(json.members().get("indexingMode"))
            && !Value.FALSE.equals(json.members().get("automatic"));
    if (indexed) {
      paths(json, "includedPaths").forEach(pattern -> tree.add(pattern, true));
      paths(json, "excludedPaths").forEach(pattern -> tree.add(pattern, false));
    }
    tree.addAlways(List.of("id"));
    tree.addAlways(List.of(SystemPaths.TIMESTAMP));
    key.paths().forEach(tree::addAlways);
    this.composites = indexed ? composites(json) : List.of();
  }

  /** The policy that is written as the {@code indexingPolicy} of a container. */
  public static IndexPolicy of(Value.Obj json, PartitionKeyDefinition key) {
    return new IndexPolicy(json, key);
  }

  /** The policy of a container whose items are not indexed. */
  public static IndexPolicy none(PartitionKeyDefinition key) {
    return new IndexPolicy(NONE, key);
  }

  /** As it was given. */
  public Value.Obj json() {
    return json;
  }

  @Override
  public boolean covers(IndexPath path) {
    return !SystemPaths.isUnindexed(path) && tree.covers(path.segments());
  }

  @Override
  public List<CompositeIndex> composites() {
    return composites;
  }

  /** Whether items that are equal at these paths share a partition key. */
  boolean isWithinKey(List<CompositeIndex.Key> equal) {
    return !key.paths().isEmpty()
        && equal.stream().map(each -> each.path().segments()).toList().containsAll(key.paths());
  }

  PatternTree tree() {
    return tree;
  }

  /** How many terms of the item are paid for: scalars that the policy itself includes. */
  public int terms(Value.Obj item) {
    return indexed ? TermCount.terms(item, tree) : 0;
  }

  /** How many such terms must be removed and added to get from one version to the other. */
  public int changedTerms(Value.Obj before, Value.Obj after) {
    return indexed ? TermCount.changed(before, after, tree) : 0;
  }

  private static List<String> paths(Value.Obj json, String list) {
    return objects(json.members().get(list)).stream().map(entry -> text(entry, "path")).toList();
  }

  private static List<CompositeIndex> composites(Value.Obj json) {
    var indexes = new ArrayList<CompositeIndex>();
    if (json.members().get("compositeIndexes") instanceof Value.Arr(var lists)) {
      for (Value keys : lists) {
        var index =
            new CompositeIndex(
                objects(keys).stream()
                    .map(
                        entry ->
                            new CompositeIndex.Key(
                                IndexPath.parse(text(entry, "path")),
                                text(entry, "order").equals("descending")))
                    .toList());
        if (!index.isUnsupported() && !indexes.contains(index)) {
          indexes.add(index);
        }
      }
    }
    return List.copyOf(indexes);
  }

  private static List<Value.Obj> objects(@Nullable Value list) {
    return list instanceof Value.Arr(var items)
        ? items.stream().map(Value.Obj.class::cast).toList()
        : List.of();
  }

  private static String text(Value.Obj entry, String name) {
    return entry.members().get(name) instanceof Value.Text(String text) ? text : "";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexPolicy policy
        && json.equals(policy.json)
        && key.paths().equals(policy.key.paths());
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return "IndexPolicy" + json;
  }
}
