package io.orrery.routing;

import io.orrery.operation.Database;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import org.jspecify.annotations.Nullable;

/** Does operations by means of this node alone. */
interface Performer {
  /**
   * Answers once, or throws why it cannot.
   *
   * @param mark null where nobody else can have been asked for it
   */
  void perform(Operation operation, @Nullable Mark mark, Database.Reply reply);
}
