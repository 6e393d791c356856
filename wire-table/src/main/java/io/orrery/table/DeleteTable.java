package io.orrery.table;

import io.orrery.http.Conversation.Decision;
import io.orrery.operation.Answer;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;

/** Takes a table away, with everything in it. */
record DeleteTable(Command.Call call) implements Command {
  @Override
  public Decision<TableError> begin() {
    String table = call.request().path().table();
    call.require(Right.DELETE_TABLE, table, null);
    return call.ask(new Operation.DeleteContainer(Command.container(table), Precondition.NONE));
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.ResourceDeleted done -> {
        call.head(204, answer.charge());
        yield call.empty(204);
      }
      case Refusal.OwnerNotFound none -> call.refuse(answer, TableErrors.NOT_FOUND);
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }
}
