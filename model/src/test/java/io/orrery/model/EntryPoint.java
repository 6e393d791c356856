package io.orrery.model;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Operation;
import java.util.Map;

/** How operations enter a database: nothing else in the model knows. */
final class EntryPoint {
  private EntryPoint() {}

  /** Waits for the answer. */
  static Answer ask(Database database, Operation operation) {
    return database.execute(operation);
  }

  static void ask(Database database, Operation operation, Database.Reply reply) {
    database.execute(operation, reply);
  }

  /**
   * A read that sees at least what was seen before.
   *
   * @param seen the LSNs that answers have named, by range
   */
  static Operation inSession(Operation read, Map<String, Long> seen) {
    return new Operation.ReadInSession(read, Operations.CONTAINER, seen);
  }

  static Operation eventually(Operation.ReadItem read) {
    return new Operation.ReadEventually(read);
  }
}
