package io.orrery.query.function;

import java.util.List;

/**
 * The edges of a shape, with boxes around stretches of them that halve from level to level. Edges
 * that follow each other in a shape lie near each other, so they need no sorting.
 */
final class EdgeTree {
  /** Less than any geodesic has per radian, in the geographic latitude that spheres use. */
  private static final double LEAST_METRES_PER_RADIAN = 6_335_439;

  private static final int LEAF_EDGES = 4;
  private static final double TOUCH = 1e-11;
  private static final int SIDES = 6;
  private static final long EDGE_BYTES = 400;

  private final List<Edge> edges;
  private final double[] boxes;
  private final Work work;

  /** A stretch of a line or rim; a single point where both ends are the same. */
  record Edge(Sphere from, Sphere to, GeoPoint start) {
    boolean isPoint() {
      return from.equals(to);
    }
  }

  /** A test of an edge of one tree and one of another. */
  interface Pair {
    boolean test(Edge left, Edge right);
  }

  EdgeTree(List<Edge> edges, Work work) {
    work.take(EDGE_BYTES * edges.size());
    this.edges = edges;
    this.work = work;
    this.boxes = new double[SIDES * (4 * (edges.size() / LEAF_EDGES + 1))];
    if (!edges.isEmpty()) {
      build(1, 0, edges.size());
    }
  }

  /** Whether the test holds for a pair of edges that are near enough to touch. */
  boolean anyPair(EdgeTree other, Pair test) {
    return !edges.isEmpty()
        && !other.edges.isEmpty()
        && anyPair(1, 0, edges.size(), other, 1, 0, other.edges.size(), test);
  }

  /** Whether the edge and one of these come together. */
  boolean meets(Edge edge) {
    return anyPair(new EdgeTree(List.of(edge), Work.UNCOUNTED), EdgeTree::meet);
  }

  static boolean meet(Edge left, Edge right) {
    return Sphere.meet(left.from, left.to, right.from, right.to);
  }

  boolean touches(Sphere p) {
    return meets(new Edge(p, p, p.point()));
  }

  private void build(int node, int from, int to) {
    int box = SIDES * node;
    for (int side = 0; side < 3; side++) {
      boxes[box + side] = Double.POSITIVE_INFINITY;
      boxes[box + 3 + side] = Double.NEGATIVE_INFINITY;
    }
    if (isLeaf(from, to)) {
      for (Edge edge : edges.subList(from, to)) {
        // An arc rises above its chord, most in the middle.
        double rise = 1 - Math.sqrt(Math.max(0, (1 + edge.from.dot(edge.to)) / 2)) + TOUCH;
        extend(box, edge.from, rise);
        extend(box, edge.to, rise);
      }
      return;
    }
    int middle = (from + to) >>> 1;
    build(2 * node, from, middle);
    build(2 * node + 1, middle, to);
    for (int side = 0; side < 3; side++) {
      int left = SIDES * 2 * node + side;
      int right = left + SIDES;
      boxes[box + side] = Math.min(boxes[left], boxes[right]);
      boxes[box + 3 + side] = Math.max(boxes[left + 3], boxes[right + 3]);
    }
  }

  private static boolean isLeaf(int from, int to) {
    return to - from <= LEAF_EDGES;
  }

  private void extend(int box, Sphere p, double by) {
    double[] at = {p.x(), p.y(), p.z()};
    for (int side = 0; side < 3; side++) {
      boxes[box + side] = Math.min(boxes[box + side], at[side] - by);
      boxes[box + 3 + side] = Math.max(boxes[box + 3 + side], at[side] + by);
    }
  }

  private boolean anyPair(
      int node, int from, int to, EdgeTree other, int node2, int from2, int to2, Pair test) {
    work.steps(1);
    if (areApart(node, other, node2)) {
      return false;
    }
    boolean leaf = isLeaf(from, to);
    if (leaf && isLeaf(from2, to2)) {
      return anyPairOf(edges.subList(from, to), other.edges.subList(from2, to2), test);
    }
    if (!leaf && (isLeaf(from2, to2) || to - from >= to2 - from2)) {
      int middle = (from + to) >>> 1;
      return anyPair(2 * node, from, middle, other, node2, from2, to2, test)
          || anyPair(2 * node + 1, middle, to, other, node2, from2, to2, test);
    }
    int middle = (from2 + to2) >>> 1;
    return anyPair(node, from, to, other, 2 * node2, from2, middle, test)
        || anyPair(node, from, to, other, 2 * node2 + 1, middle, to2, test);
  }

  private boolean anyPairOf(List<Edge> left, List<Edge> right, Pair test) {
    work.steps((long) LEAF_EDGES * LEAF_EDGES);
    for (Edge one : left) {
      for (Edge other : right) {
        if (test.test(one, other)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean areApart(int node, EdgeTree other, int node2) {
    for (int side = 0; side < 3; side++) {
      int a = SIDES * node + side;
      int b = SIDES * node2 + side;
      if (boxes[a] > other.boxes[b + 3] || other.boxes[b] > boxes[a + 3]) {
        return true;
      }
    }
    return false;
  }

  /** The metres to the nearest place, or the best known so far if that is nearer. */
  double nearest(GeoPoint corner, double best) {
    return edges.isEmpty() ? best : nearest(corner, Sphere.of(corner), best, 1, 0, edges.size());
  }

  private double nearest(GeoPoint corner, Sphere p, double best, int node, int from, int to) {
    work.steps(1);
    if (LEAST_METRES_PER_RADIAN * chord(p, node) > best) {
      return best;
    }
    double least = best;
    if (isLeaf(from, to)) {
      for (Edge edge : edges.subList(from, to)) {
        least = Math.min(least, metres(corner, p, edge, least));
      }
      return least;
    }
    int middle = (from + to) >>> 1;
    boolean leftFirst = chord(p, 2 * node) <= chord(p, 2 * node + 1);
    if (leftFirst) {
      least = nearest(corner, p, least, 2 * node, from, middle);
    }
    least = nearest(corner, p, least, 2 * node + 1, middle, to);
    return leftFirst ? least : nearest(corner, p, least, 2 * node, from, middle);
  }

  private double metres(GeoPoint corner, Sphere p, Edge edge, double best) {
    work.steps(4);
    if (edge.isPoint()) {
      return Geodesy.distance(corner, edge.start);
    }
    Sphere place = Sphere.nearest(p, edge.from, edge.to);
    return LEAST_METRES_PER_RADIAN * p.angleTo(place) > best
        ? best
        : Geodesy.distance(corner, place.point());
  }

  /** At most the straight distance from a point to anything in the box. */
  private double chord(Sphere p, int node) {
    double[] at = {p.x(), p.y(), p.z()};
    double square = 0;
    for (int side = 0; side < 3; side++) {
      int box = SIDES * node + side;
      double gap = Math.max(0, Math.max(boxes[box] - at[side], at[side] - boxes[box + 3]));
      square += gap * gap;
    }
    return Math.sqrt(square);
  }
}
