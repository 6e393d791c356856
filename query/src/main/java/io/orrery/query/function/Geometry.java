package io.orrery.query.function;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A GeoJSON shape: single points, lines, and polygons as rings of which the first is outer. */
record Geometry(
    List<GeoPoint> points, List<List<GeoPoint>> lines, List<List<List<GeoPoint>>> polygons) {
  private static final int MAX_RING_POINTS = 4096;
  private static final long POSITION_BYTES = 128;

  /** Two numbers that are read and checked. */
  private static final long POSITION_STEPS = 2;

  /** Why a value is no valid shape. */
  static final class Invalid extends Exception {
    private static final long serialVersionUID = 1L;

    Invalid(String reason) {
      super(reason, null, false, false);
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  static Geometry read(Value value, Work work) throws Invalid {
    if (!(value instanceof Value.Obj(Map<String, Value> members))
        || !(members.get("type") instanceof Value.Text(String type))
        || !(members.get("coordinates") instanceof Value.Arr(List<Value> coordinates))) {
      throw new Invalid("The input is not a GeoJSON object.");
    }
    return switch (type) {
      case "Point" ->
          new Geometry(List.of(point(members.get("coordinates"))), List.of(), List.of());
      case "MultiPoint" -> new Geometry(points(coordinates, work), List.of(), List.of());
      case "LineString" -> new Geometry(List.of(), List.of(line(coordinates, work)), List.of());
      case "Polygon" -> new Geometry(List.of(), List.of(), List.of(polygon(coordinates, work)));
      case "MultiPolygon" -> {
        List<List<List<GeoPoint>>> polygons = new ArrayList<>();
        for (Value polygon : coordinates) {
          polygons.add(polygon(array(polygon), work));
        }
        yield new Geometry(List.of(), List.of(), polygons);
      }
      default -> throw new Invalid("The GeoJSON type '" + type + "' is not supported.");
    };
  }

  /** Every corner. */
  List<GeoPoint> corners() {
    List<GeoPoint> corners = new ArrayList<>(points);
    lines.forEach(corners::addAll);
    polygons.forEach(rings -> rings.forEach(corners::addAll));
    return corners;
  }

  private static List<List<GeoPoint>> polygon(List<Value> coordinates, Work work) throws Invalid {
    List<List<GeoPoint>> rings = new ArrayList<>();
    for (Value ring : coordinates) {
      List<GeoPoint> points = points(array(ring), work);
      int number = rings.size() + 1;
      if (points.size() < 4) {
        throw new Invalid(
            "The Polygon input is not valid because the ring number "
                + number
                + " has fewer than four points.");
      }
      if (points.size() > MAX_RING_POINTS) {
        throw new Invalid("A polygon may have at most " + MAX_RING_POINTS + " points.");
      }
      if (!points.getFirst().equals(points.getLast())) {
        throw new Invalid(
            "The Polygon input is not valid because the start and end points of the ring number "
                + number
                + " are not the same. Each ring of a polygon must have the same start and end"
                + " points.");
      }
      rings.add(points);
    }
    if (rings.isEmpty()) {
      throw new Invalid("The Polygon input is not valid because it has no ring.");
    }
    return rings;
  }

  private static List<GeoPoint> line(List<Value> coordinates, Work work) throws Invalid {
    List<GeoPoint> points = points(coordinates, work);
    if (points.size() < 2) {
      throw new Invalid("The LineString input is not valid because it has fewer than two points.");
    }
    return points;
  }

  private static List<GeoPoint> points(List<Value> coordinates, Work work) throws Invalid {
    work.items(coordinates.size());
    work.take(POSITION_BYTES * coordinates.size());
    work.steps(POSITION_STEPS * coordinates.size());
    List<GeoPoint> points = new ArrayList<>(coordinates.size());
    for (Value position : coordinates) {
      points.add(point(position));
    }
    return points;
  }

  private static GeoPoint point(Value position) throws Invalid {
    List<Value> numbers = array(position);
    if (numbers.size() < 2
        || !(numbers.get(0) instanceof Value.Num longitude)
        || !(numbers.get(1) instanceof Value.Num latitude)) {
      throw new Invalid("A position must have two numbers.");
    }
    if (Math.abs(latitude.asDouble()) > 90) {
      throw new Invalid("Latitude values must be between -90 and 90 degrees.");
    }
    if (Math.abs(longitude.asDouble()) > 180) {
      throw new Invalid("Longitude values must be between -180 and 180 degrees.");
    }
    return new GeoPoint(longitude.asDouble(), latitude.asDouble());
  }

  private static List<Value> array(Value value) throws Invalid {
    if (value instanceof Value.Arr(List<Value> items)) {
      return items;
    }
    throw new Invalid("The coordinates are not nested as the GeoJSON type demands.");
  }
}
