package io.orrery.routing;

import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Admission;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.Grant;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Resource;
import io.orrery.operation.UserRef;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.concurrent.CompletableFuture;

/** Database d with container c, user u, and a clock that is told the time. */
final class TokenedDatabase implements AutoCloseable {
  static final UserRef USER = new UserRef(new DatabaseRef("d"), "u");

  final VirtualClock clock = new VirtualClock();
  final TestDatabase database =
      new TestDatabase(new MemoryStorage(true), DatabaseSettings.of(Limits.SEEDS).withClock(clock));

  TokenedDatabase() {
    database.createKeyed(1);
    database.outcome(new Operation.CreateUser(new DatabaseRef("d"), json("{'id':'u'}")));
  }

  Outcome tryPermit(String definition, int seconds) {
    return database.outcome(new Operation.CreatePermission(USER, json(definition), seconds));
  }

  Resource permit(String definition) {
    return assertInstanceOf(
            Outcome.ResourceCreated.class, tryPermit(definition, Grant.VALID_SECONDS_DEFAULT))
        .resource();
  }

  /** The token of a permission with this id, mode, and what else is told of it. */
  String token(String id, String mode, String resource, String more) {
    return tokenIn(
        permit(
            "{'id':'%s','permissionMode':'%s','resource':'%s'%s}"
                .formatted(id, mode, resource, more)));
  }

  static String tokenIn(Resource permission) {
    return Json.parse(permission.definition().bytes().array()) instanceof Value.Obj(var members)
            && members.get("_token") instanceof Value.Text(String token)
        ? token
        : "none";
  }

  Admission admit(String token) {
    return database.database().admit(token);
  }

  Grant grant(String token) {
    return assertInstanceOf(Admission.Granted.class, admit(token)).grant();
  }

  Outcome outcome(String token, Operation operation) {
    return outcome(grant(token), operation);
  }

  Outcome outcome(Grant grant, Operation operation) {
    var waiting = new CompletableFuture<Answer>();
    database
        .database()
        .execute(
            grant,
            operation,
            new Database.Reply() {
              @Override
              public void answer(Answer answer) {
                waiting.complete(answer);
              }

              @Override
              public void fault(Throwable fault) {
                waiting.completeExceptionally(fault);
              }
            });
    return waiting.join().outcome();
  }

  @Override
  public void close() {
    database.close();
  }
}
