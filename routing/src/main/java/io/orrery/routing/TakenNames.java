package io.orrery.routing;

import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceId;
import org.jspecify.annotations.Nullable;

/** Refuses ids that clients could not tell from the rid of another resource. */
final class TakenNames {
  private TakenNames() {}

  /**
   * @param ownerRid null for databases
   */
  static void refuseRid(@Nullable String ownerRid, String id) {
    if (ResourceId.isWithin(ownerRid, id)) {
      throw new Refused(
          new Refusal.BadRequest(
              "The id '"
                  + id
                  + "' reads as a resource id (_rid), by which another resource may be addressed;"
                  + " choose another id."));
    }
  }
}
