package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.query.function.EdgeTree.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the tree finds is what a look at every edge finds. */
class EdgeTreeTest {
  /** A line that wanders from a random place, long steps and short ones. */
  private static List<Edge> line(Random random, int edges) {
    double reach = Math.pow(10, -random.nextInt(4));
    double longitude = random.nextDouble(-1, 1);
    double latitude = random.nextDouble(-1, 1);
    List<Edge> line = new ArrayList<>();
    for (int i = 0; i < edges; i++) {
      var from = new GeoPoint(longitude, latitude);
      longitude = Math.clamp(longitude + random.nextDouble(-reach, reach), -179, 179);
      latitude = Math.clamp(latitude + random.nextDouble(-reach, reach), -89, 89);
      var to = new GeoPoint(longitude, latitude);
      line.add(new Edge(Sphere.of(from), Sphere.of(to), from));
    }
    return line;
  }

  @Test
  void meetingsAndDistancesAreThoseOfAllPairs() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<Edge> left = line(random, 1 + random.nextInt(40));
      List<Edge> right = line(random, 1 + random.nextInt(40));
      var tree = new EdgeTree(left, Work.UNCOUNTED);
      boolean meet =
          left.stream().anyMatch(one -> right.stream().anyMatch(two -> EdgeTree.meet(one, two)));
      assertEquals(
          meet,
          tree.anyPair(new EdgeTree(right, Work.UNCOUNTED), EdgeTree::meet),
          "seed " + seed + " round " + round);
      GeoPoint corner = right.getFirst().start();
      double least = Double.POSITIVE_INFINITY;
      for (Edge edge : left) {
        Sphere place = Sphere.nearest(Sphere.of(corner), edge.from(), edge.to());
        least = Math.min(least, Geodesy.distance(corner, place.point()));
      }
      assertEquals(
          least,
          tree.nearest(corner, Double.POSITIVE_INFINITY),
          "seed " + seed + " round " + round);
    }
  }
}
