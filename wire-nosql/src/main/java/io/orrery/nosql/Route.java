package io.orrery.nosql;

import io.netty.handler.codec.http.HttpMethod;
import io.orrery.operation.Operation;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One line of the table of routes.
 *
 * @param when what else must hold of the request
 * @param writes whether a read-only key is not enough because something may change
 * @param reveals whether a read-only key is not enough because the answer holds tokens
 */
record Route(
    String name,
    HttpMethod method,
    ResourcePath.Shape shape,
    Predicate<NosqlRequest> when,
    boolean writes,
    boolean reveals,
    Command command) {

  /** What a route does with its request. */
  sealed interface Command {}

  /** Asks the database. */
  record Ask(Function<NosqlRequest, Operation> operation) implements Command {}

  /** Knows the answer, a JSON text. */
  record Tell(Function<NosqlRequest, byte[]> body) implements Command {}

  static Route read(
      String name,
      HttpMethod method,
      ResourcePath.Shape shape,
      Function<NosqlRequest, Operation> operation) {
    return new Route(name, method, shape, always -> true, false, false, new Ask(operation));
  }

  static Route write(
      String name,
      HttpMethod method,
      ResourcePath.Shape shape,
      Function<NosqlRequest, Operation> operation) {
    return new Route(name, method, shape, always -> true, true, false, new Ask(operation));
  }

  static Route tell(
      String name,
      HttpMethod method,
      ResourcePath.Shape shape,
      Function<NosqlRequest, byte[]> body) {
    return new Route(name, method, shape, always -> true, false, false, new Tell(body));
  }

  /**
   * Whether it changes keys, users, permissions, the catalog or throughput: all that is written but
   * data, and the clock of tests.
   */
  boolean audited() {
    return writes
        && switch (shape) {
          case ITEMS, ITEM, KEY_DELETION, CONFLICT, CLOCK_ADVANCE -> false;
          case PROCEDURE -> !method.equals(HttpMethod.POST);
          default -> true;
        };
  }

  boolean isOfItems() {
    return shape == ResourcePath.Shape.ITEMS || shape == ResourcePath.Shape.ITEM;
  }

  /** The same, only for requests of a kind. */
  Route when(Predicate<NosqlRequest> condition) {
    return new Route(name, method, shape, condition, writes, reveals, command);
  }

  /** The same, with tokens in its answer. */
  Route revealing() {
    return new Route(name, method, shape, when, writes, true, command);
  }
}
