package io.orrery.routing.definition;

import io.orrery.operation.Body;

/** What a client may say about a user: its id. */
public record UserDefinition(String id) {

  /**
   * Reads what a client wrote.
   *
   * @throws io.orrery.value.MalformedBody naming the rule that it breaks
   */
  public static UserDefinition parse(Body body) {
    return new UserDefinition(ResourceName.check(Members.of(body, "The user").requiredText("id")));
  }
}
