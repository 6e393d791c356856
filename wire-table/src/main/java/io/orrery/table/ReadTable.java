package io.orrery.table;

import io.orrery.http.Conversation.Decision;
import io.orrery.operation.Answer;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;

/** Tells whether a table is there. */
record ReadTable(Command.Call call) implements Command {
  @Override
  public Decision<TableError> begin() {
    call.require(Right.LIST_TABLES, call.request().path().table(), null);
    return call.ask(
        new Operation.ReadContainer(
            Command.container(call.request().path().table()), Precondition.NONE));
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.ContainerRead(var resource, int indexedPercent) -> {
        TableRequest request = call.request();
        call.head(200, answer.charge());
        yield call.json(
            200,
            CreateTable.element(resource.id(), call.endpoint(), request.metadata(), call.config()));
      }
      case Refusal.OwnerNotFound none -> call.refuse(answer, TableErrors.NOT_FOUND);
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }
}
