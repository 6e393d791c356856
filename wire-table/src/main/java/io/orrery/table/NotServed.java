package io.orrery.table;

import io.orrery.http.Conversation.Decision;
import io.orrery.operation.Answer;

/** What Cosmos DB does not serve either: properties and statistics of the service, and ACLs. */
record NotServed(Command.Call call) implements Command {
  @Override
  public Decision<TableError> begin() {
    throw new RefusedRequest(TableErrors.NOT_IMPLEMENTED);
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    throw Command.unexpected(answer);
  }
}
