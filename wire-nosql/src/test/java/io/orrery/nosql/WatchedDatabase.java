package io.orrery.nosql;

import io.orrery.operation.Admission;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Grant;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A database that a test sees being asked, on the thread that asks. */
record WatchedDatabase(Database database, Consumer<Operation> watch) implements Database {

  @Override
  public void execute(Operation operation, Reply reply) {
    watch.accept(operation);
    database.execute(operation, reply);
  }

  @Override
  public Admission admit(String token) {
    return database.admit(token);
  }

  @Override
  public void execute(Grant grant, Operation operation, Reply reply) {
    watch.accept(operation);
    database.execute(grant, operation, reply);
  }

  @Override
  public @Nullable Refusal refusal(LargeBody body) {
    return database.refusal(body);
  }

  @Override
  public RequestCharge charge(LargeBody body, RequestCharge paid) {
    return database.charge(body, paid);
  }

  @Override
  public DatabaseFigures figures() {
    return database.figures();
  }

  @Override
  public void close() {
    database.close();
  }
}
