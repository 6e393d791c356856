package io.orrery.routing;

import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.routing.catalog.CatalogFull;
import io.orrery.storage.StorageFault;
import io.orrery.value.MalformedBody;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Returns the answer to an operation, or throws the reason why it is refused. */
interface AnswerTask {
  Logger LOG = LoggerFactory.getLogger(AnswerTask.class);

  Answer answer();

  /** Runs a task and hands its answer, refusal or fault to the reply. */
  static void run(Database.Reply reply, RequestCharge refusalCharge, AnswerTask task) {
    Answer answer;
    try {
      answer = task.answer();
    } catch (Refused e) {
      answer = Answer.of(e.refusal(), refusalCharge);
    } catch (MalformedBody e) {
      answer = Answer.of(new Refusal.BadRequest(String.valueOf(e.getMessage())), refusalCharge);
    } catch (CatalogFull e) {
      answer = Answer.of(new Refusal.Forbidden(String.valueOf(e.getMessage())), refusalCharge);
    } catch (QueryRefused e) {
      answer = Answer.of(QueryRefusals.of(e), refusalCharge);
    } catch (StorageFault e) {
      LOG.warn("An operation was refused by the storage, activity {}", reply.activityId(), e);
      answer =
          Answer.of(
              new Refusal.Unavailable("The storage failed, nothing was done: " + e.getMessage()),
              refusalCharge);
    } catch (RuntimeException | Error e) {
      reply.fault(e);
      return;
    }
    reply.answer(answer);
  }
}
