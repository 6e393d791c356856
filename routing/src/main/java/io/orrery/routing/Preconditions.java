package io.orrery.routing;

import io.orrery.operation.Etag;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;

/** What a request asks of the present version of a resource that exists. */
final class Preconditions {
  private Preconditions() {}

  /** Whether a read has nothing new to tell. */
  static boolean isKnown(Precondition precondition, Etag present) {
    return switch (precondition) {
      case Precondition.None n -> false;
      case Precondition.EtagMatches m -> false;
      case Precondition.CommittedAt c -> false;
      case Precondition.Exists e -> false;
      case Precondition.EtagDiffers(Etag known) -> known.equals(present);
      case Precondition.Absent a -> true;
    };
  }

  /**
   * Lets a write go on.
   *
   * @throws Refused when it must not
   */
  static void require(Precondition precondition, Etag present) {
    boolean holds =
        switch (precondition) {
          case Precondition.None n -> true;
          case Precondition.EtagMatches(Etag expected) -> expected.equals(present);
          // Resources are known by their etags only.
          case Precondition.CommittedAt c -> false;
          case Precondition.Exists e -> true;
          case Precondition.EtagDiffers(Etag known) -> !known.equals(present);
          case Precondition.Absent a -> false;
        };
    if (!holds) {
      throw new Refused(new Refusal.PreconditionFailed());
    }
  }
}
