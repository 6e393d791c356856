package io.orrery.nosql;

import io.orrery.operation.Admission;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Grant;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Hands out the answers of a database from another thread, when it is allowed to. */
final class LateDatabase implements Database {
  private final Database database;
  private final Semaphore permits;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile @Nullable Reply last;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  LateDatabase(Database database, int permits) {
    this.database = database;
    this.permits = new Semaphore(permits);
  }

  @Override
  public void execute(Operation operation, Reply reply) {
    last = reply;
    asked.incrementAndGet();
    thread.execute(
        () -> {
          permits.acquireUninterruptibly();
          Answer answer = database.execute(operation);
          reply.answer(answer);
        });
  }

  @Override
  public Admission admit(String token) {
    return database.admit(token);
  }

  @Override
  public void execute(Grant grant, Operation operation, Reply reply) {
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

  /** Whether the client that asked last is gone. */
  boolean isLastCancelled() {
    Reply asking = last;
    return asking != null && asking.isCancelled();
  }

  int asked() {
    return asked.get();
  }

  void allow(int answers) {
    permits.release(answers);
  }

  @Override
  public void close() {
    permits.release(1_000);
    thread.close();
    database.close();
  }
}
