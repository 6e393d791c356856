package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;

/**
 * The item that an operation names must be a certain one: ids can be used again, counters not.
 *
 * @param read finds the item that is named
 * @param counter the one that it must be
 */
record ItemCondition(Operation.ReadItem read, long counter) {

  /** Goes on when the read has found that item, and refuses otherwise. */
  Database.Reply before(Runnable operation, Database.Reply reply) {
    return new Database.Reply() {
      @Override
      public void answer(Answer answer) {
        if (answer.outcome() instanceof Outcome.ItemRead(var item) && item.counter() == counter) {
          operation.run();
        } else if (isAnswerAboutItems(answer.outcome())) {
          reply.answer(
              Answer.of(TokenScope.forbidden(TokenScope.OTHER_ITEM).refusal(), RequestCharge.NONE));
        } else {
          reply.answer(answer);
        }
      }

      @Override
      public void fault(Throwable fault) {
        reply.fault(fault);
      }

      @Override
      public boolean isCancelled() {
        return reply.isCancelled();
      }
    };
  }

  /** Which ids exist is no business of a token for one item. */
  private static boolean isAnswerAboutItems(Outcome outcome) {
    return outcome instanceof Outcome.Success || outcome instanceof Refusal.NotFound;
  }
}
