package io.orrery.query.index;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a query finds a value in an item. Two expressions of the same place have the same value in
 * a row; two of the same path need not, when it leads through an array.
 */
record Place(IndexPath path, List<Step> steps) {
  static final Place ITEM = new Place(IndexPath.ROOT, List.of());

  /** One step of the way. */
  sealed interface Step {
    /** A member of an object. */
    record Name(String name) implements Step {}

    /** An element of an array by its number. */
    record Position(double number) implements Step {}

    /** The element that an input of the query stands for; equal to no other. */
    final class Element implements Step {}
  }

  Place member(String name) {
    return new Place(path.child(name), longer(new Step.Name(name)));
  }

  Place at(double number) {
    return new Place(path.elements(), longer(new Step.Position(number)));
  }

  /** Some element, and always the same one. */
  Place element() {
    return new Place(path.elements(), longer(new Step.Element()));
  }

  private List<Step> longer(Step step) {
    var longer = new ArrayList<>(steps);
    longer.add(step);
    return List.copyOf(longer);
  }
}
