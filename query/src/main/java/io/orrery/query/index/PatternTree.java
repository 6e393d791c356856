package io.orrery.query.index;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the patterns of a policy say of a place in an item. The longer pattern decides, and an exact
 * one ({@code /?}) before a subtree ({@code /*}).
 */
final class PatternTree {
  private final Map<String, PatternTree> children = new HashMap<>();
  private @Nullable Boolean exact;
  private @Nullable Boolean subtree;
  private boolean always;

  void add(String pattern, boolean include) {
    PathPattern.alternatives(pattern).forEach(segments -> add(segments, include));
  }

  private void add(List<String> segments, boolean include) {
    PatternTree node = this;
    for (String segment : segments.subList(0, segments.size() - 1)) {
      node = node.grown(segment);
    }
    switch (segments.getLast()) {
      case "*" -> node.subtree = include;
      case "?" -> node.exact = include;
      default -> node.grown(segments.getLast()).exact = include;
    }
  }

  /** A path that is indexed whatever the patterns say. */
  void addAlways(List<String> path) {
    PatternTree node = this;
    for (String segment : path) {
      node = node.grown(segment);
    }
    node.always = true;
  }

  private PatternTree grown(String segment) {
    return children.computeIfAbsent(segment, name -> new PatternTree());
  }

  static @Nullable PatternTree child(@Nullable PatternTree node, String segment) {
    return node == null ? null : node.children.get(segment);
  }

  /** What holds below the node when nothing longer is said. */
  static boolean subtree(@Nullable PatternTree node, boolean inherited) {
    return (node != null && node.subtree != null) ? node.subtree : inherited;
  }

  /** Whether the patterns include a value at the node. */
  static boolean isIncluded(@Nullable PatternTree node, boolean subtree) {
    return (node != null && node.exact != null) ? node.exact : subtree;
  }

  /** Whether a value at the node is indexed, by the patterns or in any case. */
  static boolean isIndexed(@Nullable PatternTree node, boolean subtree) {
    return isIncluded(node, subtree) || (node != null && node.always);
  }

  boolean covers(List<String> path) {
    PatternTree node = this;
    boolean inherited = subtree(node, false);
    for (String segment : path) {
      node = child(node, segment);
      inherited = subtree(node, inherited);
    }
    return isIndexed(node, inherited);
  }
}
