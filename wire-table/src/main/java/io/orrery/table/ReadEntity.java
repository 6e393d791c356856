package io.orrery.table;

import io.orrery.http.AsciiOut;
import io.orrery.http.Conversation.Decision;
import io.orrery.operation.Answer;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;

/** Reads one entity by its keys. */
record ReadEntity(Command.Call call) implements Command {
  @Override
  public Decision<TableError> begin() {
    var _ = call.request().metadata();
    return call.ask(read(call.request(), call));
  }

  static Operation read(TableRequest request, Command.Call call) {
    Entity.Key key = request.path().key();
    if (key == null) {
      throw RefusedRequest.invalidInput("The path of the operation names no entity.");
    }
    call.require(Right.READ, request.path().table(), key);
    return new Operation.ReadItem(
        EntityStep.scope(request.path().table(), key), EntityStep.id(key), Precondition.NONE);
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.ItemRead(StoredItem item) -> {
        TableAnswers head = call.head(200, answer.charge());
        head.header(TableAnswers.ETAG, TicksText.etag(item.commitTicks()));
        yield call.json(200, body(item, call, call.request()));
      }
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  static AsciiOut body(StoredItem item, Command.Call call, TableRequest request) {
    AsciiOut body = call.answers().body();
    new EntityWriter(body, frame(call, request))
        .put(item.body().bytes().array(), 0, item.commitTicks(), true);
    return body;
  }

  static EntityWriter.Frame frame(Command.Call call, TableRequest request) {
    return new EntityWriter.Frame(
        request.metadata(),
        call.endpoint(),
        call.config().account(),
        request.path().table(),
        request.selected());
  }
}
