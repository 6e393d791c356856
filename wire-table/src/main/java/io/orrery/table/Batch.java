package io.orrery.table;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.orrery.http.AsciiOut;
import io.orrery.http.Conversation.Decision;
import io.orrery.http.Conversation.Told;
import io.orrery.http.Conversation.Write;
import io.orrery.operation.Answer;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.StoredItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An entity group transaction: changes of entities of one partition, all of them or none. */
final class Batch implements Command {
  static final int CHANGES_MAX = 100;

  private final Call call;
  private List<TableRequest> requests = List.of();
  private final List<EntityStep> steps = new ArrayList<>();
  private boolean changes;

  Batch(Call call) {
    this.call = call;
  }

  @Override
  public Decision<TableError> begin() {
    TableRequest request = call.request();
    var content =
        new BatchParts(call.config().account(), request.origin())
            .read(request.header(TableHeaders.CONTENT_TYPE), request.body());
    requests = content.requests();
    changes = content.changes();
    if (!changes && requests.getFirst().method().equals("GET")) {
      return query(requests.getFirst());
    }
    try {
      var _ = call.parsed(requests.isEmpty() ? request : requests.getFirst(), this::readSteps);
      return execute();
    } catch (RefusedRequest refused) {
      TableError error = refused.error().at(steps.size());
      return new Write<>(() -> writeRefused(refused.charge(), error));
    }
  }

  private Decision<TableError> query(TableRequest read) {
    if (read.path().shape() != TablePath.Shape.ENTITY) {
      throw RefusedRequest.invalidInput("The only query that a batch may hold names one entity.");
    }
    return call.ask(ReadEntity.read(read, call));
  }

  /**
   * Reads what is to be done.
   *
   * @throws RefusedRequest when the operation behind those that were read breaks a rule
   */
  private List<EntityStep> readSteps() {
    if (requests.isEmpty()) {
      throw RefusedRequest.invalidInput("The batch request holds no operation.");
    }
    if (requests.size() > CHANGES_MAX) {
      throw RefusedRequest.invalidInput(
          "The batch request operation exceeds the maximum 100 changes per change set.");
    }
    Set<String> rows = new HashSet<>();
    for (TableRequest request : requests) {
      EntityStep step = EntityStep.of(request, call);
      TableError refusal = misfit(request, step, rows);
      if (refusal != null) {
        throw new RefusedRequest(refusal);
      }
      steps.add(step);
    }
    return steps;
  }

  private @Nullable TableError misfit(TableRequest request, EntityStep step, Set<String> rows) {
    if (!request.path().table().equals(requests.getFirst().path().table())) {
      return TableError.invalidInput("All operations of a batch concern one table.");
    }
    EntityStep first = steps.isEmpty() ? step : steps.getFirst();
    if (!step.key().partitionKey().equals(first.key().partitionKey())) {
      return TableError.of(
          400,
          "CommandsInBatchActOnDifferentPartitions",
          "All commands in a batch must operate on same entity group.");
    }
    return rows.add(step.key().rowKey())
        ? null
        : TableError.of(
            400,
            "InvalidDuplicateRow",
            "The batch request contains multiple changes with same row key. An entity can appear"
                + " only once in a batch request.");
  }

  private Decision<TableError> execute() {
    var scope =
        new ItemScope(
            Command.container(requests.getFirst().path().table()),
            PartitionKey.of(steps.getFirst().key().partitionKey()));
    return call.ask(
        new Operation.ExecuteBatch(scope, steps.stream().map(EntityStep::operation).toList()));
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.StepsDone done when done.isWhole() -> done(answer, done);
      case Outcome.StepsDone done -> refused(answer.charge(), failure(done));
      case Outcome.ItemRead(StoredItem item) -> {
        var body = new AsciiOut();
        String boundary = "batchresponse_" + UUID.randomUUID();
        beginPart(body, boundary, 200);
        etag(body, item);
        json(body, ReadEntity.body(item, call, requests.getFirst()), requests.getFirst());
        yield told(answer.charge(), boundary, body);
      }
      case Refusal refusal -> {
        TableError error = call.error(refusal);
        yield refused(answer.charge(), changes ? error.at(0) : error);
      }
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  @Override
  public boolean shorten() {
    requests.forEach(TableRequest::wantNoContent);
    return true;
  }

  private TableError failure(Outcome.StepsDone done) {
    for (int i = 0; i < done.steps().size(); i++) {
      if (done.steps().get(i).outcome() instanceof Refusal refusal
          && !(refusal instanceof Refusal.FailedDependency)) {
        return call.error(refusal).at(i);
      }
    }
    throw new IllegalStateException("A batch failed by none of its steps");
  }

  private Decision<TableError> done(Answer answer, Outcome.StepsDone done) {
    var body = new AsciiOut();
    String boundary = "batchresponse_" + UUID.randomUUID();
    String set = "changesetresponse_" + UUID.randomUUID();
    beginSet(body, boundary, set);
    for (int i = 0; i < steps.size(); i++) {
      step(body, set, i, done.steps().get(i).outcome());
    }
    body.put("--").put(set).put("--\r\n");
    return told(answer.charge(), boundary, body);
  }

  private void step(AsciiOut body, String set, int index, Outcome outcome) {
    EntityStep step = steps.get(index);
    TableRequest request = requests.get(index);
    StoredItem item =
        switch (outcome) {
          case Outcome.ItemCreated(StoredItem created) -> created;
          case Outcome.ItemReplaced(StoredItem replaced) -> replaced;
          default -> null;
        };
    boolean shown = step.inserts() && !request.wantsNoContent();
    beginPart(body, set, shown ? 201 : 204);
    String contentId = request.header(TableHeaders.CONTENT_ID);
    if (contentId != null) {
      body.put("Content-ID: ").put(contentId).put("\r\n");
    }
    if (step.inserts()) {
      String location =
          call.endpoint() + "/" + TablePath.entity(request.path().table(), step.key());
      body.put("Location: ").put(location).put("\r\nDataServiceId: ").put(location).put("\r\n");
      if (!shown) {
        body.put("Preference-Applied: return-no-content\r\n");
      } else if (request.wantsContent()) {
        body.put("Preference-Applied: return-content\r\n");
      }
    }
    if (item != null) {
      etag(body, item);
    }
    if (shown && item != null) {
      json(body, ReadEntity.body(item, call, request), request);
    } else {
      body.put("\r\n\r\n");
    }
  }

  private static void etag(AsciiOut body, StoredItem item) {
    body.put("ETag: ").put(TicksText.etag(item.commitTicks())).put("\r\n");
  }

  private static void json(AsciiOut body, AsciiOut entity, TableRequest request) {
    body.put("Content-Type: ").put(request.metadata().contentType()).put("\r\n\r\n");
    body.put(entity).put("\r\n");
  }

  private static void beginSet(AsciiOut body, String boundary, String set) {
    body.put("--").put(boundary);
    body.put("\r\nContent-Type: multipart/mixed; boundary=").put(set).put("\r\n\r\n");
  }

  private static void beginPart(AsciiOut body, String boundary, int status) {
    body.put("--").put(boundary);
    body.put("\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n");
    body.put("HTTP/1.1 ").number(status).put(' ');
    body.put(HttpResponseStatus.valueOf(status).reasonPhrase());
    body.put("\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n");
    body.put("DataServiceVersion: 3.0;\r\n");
  }

  private Decision<TableError> refused(RequestCharge charge, TableError error) {
    return new Told<>(writeRefused(charge, error));
  }

  /** Nothing was done: one part says why. */
  private int writeRefused(RequestCharge charge, TableError error) {
    var body = new AsciiOut();
    String boundary = "batchresponse_" + UUID.randomUUID();
    String set = "changesetresponse_" + UUID.randomUUID();
    if (changes) {
      beginSet(body, boundary, set);
    }
    beginPart(body, changes ? set : boundary, error.status());
    Refusal.Throttled throttled = error.throttled();
    if (throttled != null) {
      body.put("x-ms-retry-after-ms: ").number(throttled.retryAfterMillis()).put("\r\n");
    }
    body.put("Content-Type: application/json;odata=minimalmetadata;charset=utf-8\r\n\r\n");
    body.put(error.body(call.exchange().activityId())).put("\r\n");
    if (changes) {
      body.put("--").put(set).put("--\r\n");
    }
    TableAnswers head = call.head(202, charge);
    head.retryLater(error);
    return end(head, boundary, body);
  }

  private Decision<TableError> told(RequestCharge charge, String boundary, AsciiOut body) {
    return new Told<>(end(call.head(202, charge), boundary, body));
  }

  private int end(TableAnswers head, String boundary, AsciiOut body) {
    body.put("--").put(boundary).put("--\r\n");
    head.header(TableAnswers.CONTENT_TYPE, "multipart/mixed; boundary=" + boundary);
    return head.end(call.context(), call.exchange(), 202, body);
  }
}
