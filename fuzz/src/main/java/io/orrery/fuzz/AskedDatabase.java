package io.orrery.fuzz;

import io.orrery.operation.Admission;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Etag;
import io.orrery.operation.Grant;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands where a database stands in a server: admits every resource token, so that what comes after
 * authentication is reached without a signature, notes what is asked and finds nothing.
 */
final class AskedDatabase implements Database {
  private static final Grant GRANT = new Grant("rid", Etag.of(1, 0, 1), "rid", Long.MAX_VALUE);

  private final List<String> asked = new ArrayList<>();

  List<String> asked() {
    return asked;
  }

  @Override
  public void execute(Operation operation, Reply reply) {
    asked.add(operation.toString());
    reply.answer(Answer.of(new Refusal.NotFound(), RequestCharge.NONE));
  }

  @Override
  public Admission admit(String token) {
    return new Admission.Granted(GRANT);
  }

  @Override
  public void execute(Grant grant, Operation operation, Reply reply) {
    execute(operation, reply);
  }

  @Override
  public @Nullable Refusal refusal(LargeBody body) {
    return null;
  }

  @Override
  public RequestCharge charge(LargeBody body, RequestCharge paid) {
    return paid;
  }

  @Override
  public DatabaseFigures figures() {
    throw new IllegalStateException("Nobody asks for figures over a connection");
  }

  @Override
  public void close() {}
}
