package io.orrery.query.function;

import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of GeoJSON shapes on the earth; an invalid shape gives undefined. */
final class SpatialFunctions {
  static final List<Function> ALL =
      List.of(
          shapes("ST_DISTANCE", (a, b) -> Operators.number(distance(a, b))),
          shapes("ST_INTERSECTS", (a, b) -> Value.of(intersect(a, b))),
          shapes("ST_WITHIN", (a, b) -> Value.of(within(a, b))),
          strict("ST_AREA", 1, SpatialFunctions::area),
          strict("ST_ISVALID", 1, SpatialFunctions::isValid),
          strict("ST_ISVALIDDETAILED", 1, SpatialFunctions::isValidDetailed));

  private SpatialFunctions() {}

  private interface OfShapes {
    Value apply(Geometry left, Geometry right);
  }

  private static Function shapes(String name, OfShapes body) {
    return strict(
        name,
        2,
        arguments -> {
          try {
            return body.apply(Geometry.read(arguments[0]), Geometry.read(arguments[1]));
          } catch (Geometry.Invalid noShape) {
            return Value.UNDEFINED;
          }
        });
  }

  private static Value area(Value[] arguments) {
    try {
      double area = 0;
      for (List<List<GeoPoint>> rings : Geometry.read(arguments[0]).polygons()) {
        area += Geodesy.area(rings.getFirst());
        for (List<GeoPoint> hole : rings.subList(1, rings.size())) {
          area -= Geodesy.area(Geodesy.isCounterClockwise(hole) ? hole : hole.reversed());
        }
      }
      return Operators.number(area);
    } catch (Geometry.Invalid noShape) {
      return Value.UNDEFINED;
    }
  }

  private static Value isValid(Value[] arguments) {
    try {
      Geometry.read(arguments[0]);
      return Value.TRUE;
    } catch (Geometry.Invalid noShape) {
      return Value.FALSE;
    }
  }

  private static Value isValidDetailed(Value[] arguments) {
    Map<String, Value> members = new LinkedHashMap<>();
    try {
      Geometry.read(arguments[0]);
      members.put("valid", Value.TRUE);
    } catch (Geometry.Invalid noShape) {
      members.put("valid", Value.FALSE);
      members.put("reason", Value.of(noShape.reason()));
    }
    return new Value.Obj(members);
  }

  private static boolean intersect(Geometry a, Geometry b) {
    return edgesMeet(a, b)
        || b.corners().stream().anyMatch(a::covers)
        || a.corners().stream().anyMatch(b::covers)
        || pointsTouch(a, b)
        || pointsTouch(b, a);
  }

  private static boolean within(Geometry inner, Geometry outer) {
    return !outer.polygons().isEmpty()
        && inner.corners().stream().allMatch(outer::covers)
        && !edgesCross(inner, outer);
  }

  private static boolean edgesMeet(Geometry a, Geometry b) {
    for (List<GeoPoint> one : a.edges()) {
      Sphere from = Sphere.of(one.getFirst());
      Sphere to = Sphere.of(one.getLast());
      for (List<GeoPoint> other : b.edges()) {
        if (Sphere.meet(from, to, Sphere.of(other.getFirst()), Sphere.of(other.getLast()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether an edge of the inner shape leaves the outer one between its ends. */
  private static boolean edgesCross(Geometry inner, Geometry outer) {
    for (List<GeoPoint> edge : inner.edges()) {
      Sphere from = Sphere.of(edge.getFirst());
      Sphere to = Sphere.of(edge.getLast());
      for (List<GeoPoint> rim : outer.edges()) {
        Sphere a = Sphere.of(rim.getFirst());
        Sphere b = Sphere.of(rim.getLast());
        boolean onRim =
            Sphere.touches(from, a, b)
                || Sphere.touches(to, a, b)
                || Sphere.touches(a, from, to)
                || Sphere.touches(b, from, to);
        if (!onRim && Sphere.meet(from, to, a, b)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean pointsTouch(Geometry a, Geometry b) {
    for (GeoPoint point : a.points()) {
      Sphere p = Sphere.of(point);
      if (b.points().contains(point)
          || b.edges().stream()
              .anyMatch(e -> Sphere.touches(p, Sphere.of(e.getFirst()), Sphere.of(e.getLast())))) {
        return true;
      }
    }
    return false;
  }

  /** Zero where the shapes meet, else between the nearest corner and the nearest place. */
  private static double distance(Geometry a, Geometry b) {
    if (intersect(a, b)) {
      return 0;
    }
    return Math.min(fromCorners(a, b), fromCorners(b, a));
  }

  private static double fromCorners(Geometry from, Geometry to) {
    double least = Double.POSITIVE_INFINITY;
    for (GeoPoint corner : from.corners()) {
      Sphere p = Sphere.of(corner);
      for (GeoPoint point : to.points()) {
        least = Math.min(least, Geodesy.distance(corner, point));
      }
      for (List<GeoPoint> edge : to.edges()) {
        Sphere place = Sphere.nearest(p, Sphere.of(edge.getFirst()), Sphere.of(edge.getLast()));
        least = Math.min(least, Geodesy.distance(corner, place.point()));
      }
    }
    return least;
  }
}
