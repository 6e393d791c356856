package io.orrery.query.function;

import java.util.List;

/** Lengths and areas on the WGS84 ellipsoid, in metres. */
final class Geodesy {
  private static final double A = 6_378_137.0;
  private static final double F = 1 / 298.257223563;
  private static final double B = A * (1 - F);
  private static final double E2 = F * (2 - F);
  private static final double E = Math.sqrt(E2);
  private static final double QP = q(1);
  private static final double AUTHALIC_RADIUS = A * Math.sqrt(QP / 2);
  private static final double MEAN_RADIUS = (2 * A + B) / 3;
  private static final int MAX_ITERATIONS = 200;

  private Geodesy() {}

  /** T. Vincenty, Survey Review 23 (1975): the inverse solution, good to a millimetre. */
  static double distance(GeoPoint from, GeoPoint to) {
    double l = Math.toRadians(to.longitude() - from.longitude());
    double u1 = Math.atan((1 - F) * Math.tan(Math.toRadians(from.latitude())));
    double u2 = Math.atan((1 - F) * Math.tan(Math.toRadians(to.latitude())));
    double sinU1 = Math.sin(u1);
    double cosU1 = Math.cos(u1);
    double sinU2 = Math.sin(u2);
    double cosU2 = Math.cos(u2);
    double lambda = l;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
      double sinLambda = Math.sin(lambda);
      double cosLambda = Math.cos(lambda);
      double sinSigma = Math.hypot(cosU2 * sinLambda, cosU1 * sinU2 - sinU1 * cosU2 * cosLambda);
      if (sinSigma == 0) {
        return 0;
      }
      double cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda;
      double sigma = Math.atan2(sinSigma, cosSigma);
      double sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma;
      double cos2Alpha = 1 - sinAlpha * sinAlpha;
      double cos2Sm = cos2Alpha == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cos2Alpha;
      double c = F / 16 * cos2Alpha * (4 + F * (4 - 3 * cos2Alpha));
      double before = lambda;
      lambda =
          l
              + (1 - c)
                  * F
                  * sinAlpha
                  * (sigma + c * sinSigma * (cos2Sm + c * cosSigma * (-1 + 2 * cos2Sm * cos2Sm)));
      if (Math.abs(lambda - before) < 1e-13) {
        return length(cos2Alpha, sinSigma, cosSigma, sigma, cos2Sm);
      }
    }
    // Nearly opposite points do not converge; there the sphere is off by at most half a percent.
    return MEAN_RADIUS * Sphere.of(from).angleTo(Sphere.of(to));
  }

  private static double length(
      double cos2Alpha, double sinSigma, double cosSigma, double sigma, double cos2Sm) {
    double square = cos2Alpha * (A * A - B * B) / (B * B);
    double a = 1 + square / 16384 * (4096 + square * (-768 + square * (320 - 175 * square)));
    double b = square / 1024 * (256 + square * (-128 + square * (74 - 47 * square)));
    double delta =
        b
            * sinSigma
            * (cos2Sm
                + b
                    / 4
                    * (cosSigma * (-1 + 2 * cos2Sm * cos2Sm)
                        - b
                            / 6
                            * cos2Sm
                            * (-3 + 4 * sinSigma * sinSigma)
                            * (-3 + 4 * cos2Sm * cos2Sm)));
    return B * a * (sigma - delta);
  }

  /** Area left of the ring on the sphere of equal area; a clockwise ring bounds all the rest. */
  static double area(List<GeoPoint> ring) {
    double signed = signedArea(ring);
    return signed >= 0 ? signed : 4 * Math.PI * AUTHALIC_RADIUS * AUTHALIC_RADIUS + signed;
  }

  static boolean isCounterClockwise(List<GeoPoint> ring) {
    return signedArea(ring) >= 0;
  }

  private static double signedArea(List<GeoPoint> ring) {
    double excess = 0;
    for (int i = 0; i + 1 < ring.size(); i++) {
      double longitudes = Math.toRadians(ring.get(i + 1).longitude() - ring.get(i).longitude());
      if (Math.abs(longitudes) > Math.PI) {
        longitudes -= Math.copySign(2 * Math.PI, longitudes);
      }
      double t1 = Math.tan(authalic(ring.get(i).latitude()) / 2);
      double t2 = Math.tan(authalic(ring.get(i + 1).latitude()) / 2);
      excess += 2 * Math.atan2(Math.tan(longitudes / 2) * (t1 + t2), 1 + t1 * t2);
    }
    return -excess * AUTHALIC_RADIUS * AUTHALIC_RADIUS;
  }

  private static double authalic(double latitudeDegrees) {
    double ratio = q(Math.sin(Math.toRadians(latitudeDegrees))) / QP;
    return Math.asin(Math.clamp(ratio, -1.0, 1.0));
  }

  private static double q(double sine) {
    return (1 - E2)
        * (sine / (1 - E2 * sine * sine) - 1 / (2 * E) * Math.log((1 - E * sine) / (1 + E * sine)));
  }
}
