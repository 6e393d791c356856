package io.orrery.operation;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one door to the data that all protocols share. */
public interface Database extends AutoCloseable {

  /**
   * Does what the operation asks and gives the answer to {@code reply}, exactly once, on any
   * thread: on the caller's own for a point read from an embedded engine. Never blocks the caller
   * for long.
   */
  void execute(Operation operation, Reply reply);

  /** Looks at a resource token: whether we made it, and whether it is in force. Does not block. */
  Admission admit(String token);

  /** Like the other, as far as a resource token allows it; otherwise the answer is a refusal. */
  void execute(Grant grant, Operation operation, Reply reply);

  /**
   * The reason why a protocol must not parse a large body now; null when it may. Charges nothing:
   * the operation that follows pays for itself. Does not block.
   */
  @Nullable Refusal refusal(LargeBody body);

  /**
   * Charges the container for a large body whose request has paid less than its least price, also
   * where no operation followed. Does not block.
   *
   * @param paid what the request has been charged so far
   * @return the total price
   */
  RequestCharge charge(LargeBody body, RequestCharge paid);

  /** Receives an answer, or the fault that prevented one; must not block. */
  interface Reply {
    void answer(Answer answer);

    void fault(Throwable fault);

    /** Whether the answer has become useless: the client is gone. Long work looks at it. */
    default boolean isCancelled() {
      return false;
    }

    /** The activity id of the request, for the log; null where it has none. */
    default @Nullable String activityId() {
      return null;
    }
  }

  /** For callers that may wait. */
  default Answer execute(Operation operation) {
    var waiting = new CompletableFuture<Answer>();
    execute(
        operation,
        new Reply() {
          @Override
          public void answer(Answer answer) {
            waiting.complete(answer);
          }

          @Override
          public void fault(Throwable fault) {
            waiting.completeExceptionally(fault);
          }
        });
    return waiting.join();
  }

  /** How it stands, for operators; may read a little of every partition. */
  DatabaseFigures figures();

  @Override
  void close();
}
