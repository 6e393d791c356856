package io.orrery.table;

import io.orrery.http.Conversation.Decision;
import io.orrery.operation.Answer;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import org.jspecify.annotations.Nullable;

/** Inserts, replaces, merges or deletes one entity. */
final class WriteEntity implements Command {
  private final Call call;
  private @Nullable EntityStep step;

  WriteEntity(Call call) {
    this.call = call;
  }

  @Override
  public Decision<TableError> begin() {
    var _ = call.request().metadata();
    EntityStep read = call.parsed(call.request(), () -> EntityStep.of(call.request(), call));
    step = read;
    return call.ask(read.operation());
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.ItemCreated(StoredItem item) -> written(answer, item);
      case Outcome.ItemReplaced(StoredItem item) -> written(answer, item);
      case Outcome.ItemDeleted done -> {
        call.head(204, answer.charge());
        yield call.empty(204);
      }
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  @Override
  public boolean shorten() {
    call.request().wantNoContent();
    return true;
  }

  private Decision<TableError> written(Answer answer, StoredItem item) {
    TableRequest request = call.request();
    boolean inserts = step != null && step.inserts();
    boolean shown = inserts && !request.wantsNoContent();
    int status = shown ? 201 : 204;
    TableAnswers head = call.head(status, answer.charge());
    head.header(TableAnswers.ETAG, TicksText.etag(item.commitTicks()));
    if (inserts && step != null) {
      String location =
          call.endpoint() + "/" + TablePath.entity(request.path().table(), step.key());
      head.header(TableAnswers.LOCATION, location);
      if (!shown) {
        head.header(TableAnswers.DATA_SERVICE_ID, location);
        head.headers(TableAnswers.NO_CONTENT_APPLIED);
      } else if (request.wantsContent()) {
        head.headers(TableAnswers.CONTENT_APPLIED);
      }
    }
    if (!shown) {
      return call.empty(status);
    }
    return call.json(status, ReadEntity.body(item, call, request));
  }
}
