package io.orrery.routing.definition;

import io.orrery.operation.Body;

/** What a client may say about a database: its id. */
public record DatabaseDefinition(String id) {

  /**
   * Reads what a client wrote.
   *
   * @throws io.orrery.value.MalformedBody naming the rule that it breaks
   */
  public static DatabaseDefinition parse(Body body) {
    return new DatabaseDefinition(
        ResourceName.check(Members.of(body, "The database").requiredText("id")));
  }
}
