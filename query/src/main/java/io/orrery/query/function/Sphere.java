package io.orrery.query.function;

/** A direction from the centre of the unit sphere, and which side of what it lies on. */
record Sphere(double x, double y, double z) {
  private static final double EPSILON = 1e-15;

  static Sphere of(GeoPoint point) {
    double latitude = Math.toRadians(point.latitude());
    double longitude = Math.toRadians(point.longitude());
    return new Sphere(
        Math.cos(latitude) * Math.cos(longitude),
        Math.cos(latitude) * Math.sin(longitude),
        Math.sin(latitude));
  }

  GeoPoint point() {
    return new GeoPoint(
        Math.toDegrees(Math.atan2(y, x)), Math.toDegrees(Math.atan2(z, Math.hypot(x, y))));
  }

  double dot(Sphere o) {
    return x * o.x + y * o.y + z * o.z;
  }

  Sphere cross(Sphere o) {
    return new Sphere(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x);
  }

  double angleTo(Sphere o) {
    return Math.atan2(cross(o).length(), dot(o));
  }

  private double length() {
    return Math.sqrt(dot(this));
  }

  private Sphere scaled(double by) {
    return new Sphere(x * by, y * by, z * by);
  }

  private Sphere plus(Sphere o) {
    return new Sphere(x + o.x, y + o.y, z + o.z);
  }

  private Sphere minus(Sphere o) {
    return new Sphere(x - o.x, y - o.y, z - o.z);
  }

  /** The nearest place on the edge between two points. */
  static Sphere nearest(Sphere p, Sphere a, Sphere b) {
    Sphere normal = a.cross(b);
    double length = normal.length();
    if (length > EPSILON) {
      Sphere unit = normal.scaled(1 / length);
      Sphere foot = p.minus(unit.scaled(unit.dot(p)));
      double footLength = foot.length();
      if (footLength > EPSILON) {
        Sphere on = foot.scaled(1 / footLength);
        if (a.cross(on).dot(unit) >= 0 && on.cross(b).dot(unit) >= 0) {
          return on;
        }
      }
    }
    return p.angleTo(a) <= p.angleTo(b) ? a : b;
  }

  /** Whether the edges a-b and c-d meet, ends included. */
  static boolean meet(Sphere a, Sphere b, Sphere c, Sphere d) {
    Sphere ab = a.cross(b);
    Sphere cd = c.cross(d);
    double c1 = ab.dot(c);
    double d1 = ab.dot(d);
    double a1 = cd.dot(a);
    double b1 = cd.dot(b);
    if (c1 * d1 < 0 && a1 * b1 < 0) {
      // Opposite sides both ways: they cross here or on the far side of the sphere.
      Sphere crossing = ab.cross(cd);
      double side = Math.signum(crossing.dot(a.plus(b)));
      return side != 0 && side == Math.signum(crossing.dot(c.plus(d)));
    }
    return touches(c, a, b) || touches(d, a, b) || touches(a, c, d) || touches(b, c, d);
  }

  static boolean touches(Sphere p, Sphere a, Sphere b) {
    return p.angleTo(nearest(p, a, b)) < 1e-12;
  }
}
