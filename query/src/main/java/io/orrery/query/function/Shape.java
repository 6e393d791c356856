package io.orrery.query.function;

import java.util.ArrayList;
import java.util.List;

/** A GeoJSON shape made ready for tests against others. */
final class Shape {
  private final Geometry geometry;
  private final EdgeTree points;
  private final EdgeTree edges;
  private final List<List<Ring>> polygons = new ArrayList<>();
  private final List<List<EdgeTree.Edge>> runs = new ArrayList<>();
  private final Work work;

  Shape(Geometry geometry, Work work) {
    this.geometry = geometry;
    this.work = work;
    geometry.lines().forEach(line -> runs.add(edges(line)));
    for (List<List<GeoPoint>> rings : geometry.polygons()) {
      List<Ring> polygon = new ArrayList<>();
      for (List<GeoPoint> ring : rings) {
        List<EdgeTree.Edge> run = edges(ring);
        runs.add(run);
        polygon.add(new Ring(run, Geodesy.isCounterClockwise(ring)));
      }
      polygons.add(polygon);
    }
    this.edges = new EdgeTree(runs.stream().flatMap(List::stream).toList(), work);
    this.points =
        new EdgeTree(
            geometry.points().stream()
                .map(point -> new EdgeTree.Edge(Sphere.of(point), Sphere.of(point), point))
                .toList(),
            work);
  }

  private List<EdgeTree.Edge> edges(List<GeoPoint> line) {
    work.steps(line.size());
    List<EdgeTree.Edge> run = new ArrayList<>(line.size());
    Sphere from = Sphere.of(line.getFirst());
    for (int i = 0; i + 1 < line.size(); i++) {
      Sphere to = Sphere.of(line.get(i + 1));
      run.add(new EdgeTree.Edge(from, to, line.get(i)));
      from = to;
    }
    return run;
  }

  /** A closed line; what lies left of it is inside, or right of it for a hole that runs so. */
  private record Ring(List<EdgeTree.Edge> edges, boolean isCounterClockwise) {
    boolean contains(Sphere p, boolean isHole, Work work) {
      work.steps(edges.size());
      double turned = 0;
      for (EdgeTree.Edge edge : edges) {
        if (Sphere.touches(p, edge.from(), edge.to())) {
          return true;
        }
        Sphere toFrom = p.cross(edge.from());
        Sphere toTo = p.cross(edge.to());
        turned += Math.atan2(toFrom.cross(toTo).dot(p), toFrom.dot(toTo));
      }
      if (isHole && !isCounterClockwise) {
        // Holes run clockwise or not, depending on who wrote them; the smaller side is the hole.
        return -turned > Math.PI;
      }
      // Seen from p, the ring goes once around it, once around the far point, or around neither.
      return isCounterClockwise ? turned > Math.PI : turned > -Math.PI;
    }
  }

  private boolean covers(Sphere p) {
    for (List<Ring> rings : polygons) {
      boolean inside = rings.getFirst().contains(p, false, work);
      for (int i = 1; inside && i < rings.size(); i++) {
        inside = !rings.get(i).contains(p, true, work);
      }
      if (inside) {
        return true;
      }
    }
    return false;
  }

  boolean intersects(Shape other) {
    return edges.anyPair(other.edges, EdgeTree::meet)
        || coversPartOf(other)
        || other.coversPartOf(this)
        || points.anyPair(other.points, EdgeTree::meet)
        || points.anyPair(other.edges, EdgeTree::meet)
        || other.points.anyPair(edges, EdgeTree::meet);
  }

  /** Edges do not meet: then one corner tells where its whole line or ring lies. */
  private boolean coversPartOf(Shape other) {
    return !polygons.isEmpty()
        && (other.runs.stream().anyMatch(run -> covers(run.getFirst().from()))
            || other.geometry.points().stream().anyMatch(point -> covers(Sphere.of(point))));
  }

  boolean isWithin(Shape outer) {
    return !outer.polygons.isEmpty()
        && geometry.points().stream().allMatch(point -> outer.covers(Sphere.of(point)))
        && runs.stream().allMatch(outer::coversCornersOf)
        && !edges.anyPair(outer.edges, Shape::cross);
  }

  /** From corner to corner the side changes only where an edge meets the rim. */
  private boolean coversCornersOf(List<EdgeTree.Edge> run) {
    if (!covers(run.getFirst().from())) {
      return false;
    }
    for (EdgeTree.Edge edge : run) {
      if (edges.meets(edge) && !covers(edge.to())) {
        return false;
      }
    }
    return true;
  }

  /** Whether an edge of the inner shape leaves the outer one between its ends. */
  private static boolean cross(EdgeTree.Edge inner, EdgeTree.Edge rim) {
    boolean onRim =
        Sphere.touches(inner.from(), rim.from(), rim.to())
            || Sphere.touches(inner.to(), rim.from(), rim.to())
            || Sphere.touches(rim.from(), inner.from(), inner.to())
            || Sphere.touches(rim.to(), inner.from(), inner.to());
    return !onRim && EdgeTree.meet(inner, rim);
  }

  /** Zero where the shapes meet, else between the nearest corner and the nearest place. */
  double distance(Shape other) {
    if (intersects(other)) {
      return 0;
    }
    return other.fromCornersOf(this, fromCornersOf(other, Double.POSITIVE_INFINITY));
  }

  private double fromCornersOf(Shape other, double best) {
    double least = best;
    for (GeoPoint corner : other.geometry.corners()) {
      least = points.nearest(corner, least);
      least = edges.nearest(corner, least);
    }
    return least;
  }
}
