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
          shapes("ST_DISTANCE", (a, b) -> Operators.number(a.distance(b))),
          shapes("ST_INTERSECTS", (a, b) -> Value.of(a.intersects(b))),
          shapes("ST_WITHIN", (a, b) -> Value.of(a.isWithin(b))),
          strict("ST_AREA", 1, SpatialFunctions::area),
          strict("ST_ISVALID", 1, SpatialFunctions::isValid),
          strict("ST_ISVALIDDETAILED", 1, SpatialFunctions::isValidDetailed));

  /** Of a corner: tangents. */
  private static final long AREA_STEPS = 2;

  private SpatialFunctions() {}

  private interface OfShapes {
    Value apply(Shape left, Shape right);
  }

  private static Function shapes(String name, OfShapes body) {
    return strict(
        name,
        2,
        (arguments, work) -> {
          try {
            Geometry left = Geometry.read(arguments[0], work);
            Geometry right = Geometry.read(arguments[1], work);
            return body.apply(new Shape(left, work), new Shape(right, work));
          } catch (Geometry.Invalid noShape) {
            return Value.UNDEFINED;
          }
        });
  }

  private static Value area(Value[] arguments, Work work) {
    try {
      double area = 0;
      for (List<List<GeoPoint>> rings : Geometry.read(arguments[0], work).polygons()) {
        work.steps(AREA_STEPS * rings.getFirst().size());
        area += Geodesy.area(rings.getFirst());
        for (List<GeoPoint> hole : rings.subList(1, rings.size())) {
          work.steps(AREA_STEPS * hole.size());
          area -= Geodesy.area(Geodesy.isCounterClockwise(hole) ? hole : hole.reversed());
        }
      }
      return Operators.number(area);
    } catch (Geometry.Invalid noShape) {
      return Value.UNDEFINED;
    }
  }

  private static Value isValid(Value[] arguments, Work work) {
    try {
      Geometry.read(arguments[0], work);
      return Value.TRUE;
    } catch (Geometry.Invalid noShape) {
      return Value.FALSE;
    }
  }

  private static Value isValidDetailed(Value[] arguments, Work work) {
    Map<String, Value> members = new LinkedHashMap<>();
    try {
      Geometry.read(arguments[0], work);
      members.put("valid", Value.TRUE);
    } catch (Geometry.Invalid noShape) {
      members.put("valid", Value.FALSE);
      members.put("reason", Value.of(noShape.reason()));
    }
    return new Value.Obj(members);
  }
}
