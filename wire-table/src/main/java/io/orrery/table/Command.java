package io.orrery.table;

import io.netty.channel.ChannelHandlerContext;
import io.orrery.http.AsciiOut;
import io.orrery.http.Conversation.Ask;
import io.orrery.http.Conversation.Decision;
import io.orrery.http.Conversation.Told;
import io.orrery.http.Exchange;
import io.orrery.http.JsonText;
import io.orrery.operation.Answer;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request being carried out: what it asks the database, and what it makes of the answers. */
interface Command {

  /** The database that holds the tables of the account. */
  DatabaseRef TABLES = DatabaseRef.TABLES;

  /**
   * The first step.
   *
   * @throws RefusedRequest when the request breaks a rule
   */
  Decision<TableError> begin();

  /** The step after an answer. */
  Decision<TableError> answered(Answer answer);

  /** Shows nothing of what was written; false when all of the answer must be shown. */
  default boolean shorten() {
    return false;
  }

  static ContainerRef container(String table) {
    return new ContainerRef(TABLES, table, null);
  }

  /** A request with all that is needed to answer it. */
  record Call(
      ChannelHandlerContext context,
      Exchange exchange,
      TableRequest request,
      TableAnswers answers,
      TableConfig config,
      Access access,
      Database database) {

    Limits limits() {
      return config.limits();
    }

    /** The URL of the account as the client reached it, without a slash at the end. */
    String endpoint() {
      return request.origin().endpoint(request.header(TableHeaders.HOST))
          + request.path().prefix(config.account());
    }

    private Echo echo() {
      return Echo.of(request.headers());
    }

    /** Refuses what the client's authorization does not allow. */
    void require(Right right, String table, Entity.@Nullable Key key) {
      TableError refusal = access.refusal(right, table, key);
      if (refusal != null) {
        throw new RefusedRequest(refusal);
      }
    }

    /**
     * Reads the body; parsing a large one is charged to the table.
     *
     * @param first what is asked for, of a batch its first operation
     * @throws RefusedRequest when the throughput of the table is spent, or the body breaks a rule
     */
    <T> T parsed(TableRequest first, Supplier<T> reading) {
      if (!LargeBody.isLarge(request.body().size())) {
        return reading.get();
      }
      Entity.Key key = first.path().key();
      var items =
          new ItemScope(
              container(access.payer(first.path().table())),
              key == null ? null : PartitionKey.of(key.partitionKey()));
      var large = LargeBody.of(null, items, request.body().size());
      Refusal refusal = database.refusal(large);
      if (refusal != null) {
        throw new RefusedRequest(error(refusal));
      }
      try {
        return reading.get();
      } catch (RefusedRequest refused) {
        throw new RefusedRequest(refused.error(), database.charge(large, refused.charge()));
      }
    }

    Decision<TableError> ask(Operation operation) {
      return new Ask<>(operation);
    }

    TableError error(Refusal refusal) {
      return TableErrors.of(refusal, exchange.activityId());
    }

    Decision<TableError> refuse(Answer answer, TableError error) {
      return new Told<>(answers.error(context, exchange, echo(), answer.charge(), error));
    }

    Decision<TableError> refuse(Answer answer, Refusal refusal) {
      return refuse(answer, error(refusal));
    }

    TableAnswers head(int status, RequestCharge charge) {
      answers.begin(status, exchange, echo(), charge);
      return answers;
    }

    Decision<TableError> empty(int status) {
      return new Told<>(answers.endEmpty(context, exchange, status));
    }

    Told<TableError> json(int status, AsciiOut body) {
      answers.header(TableAnswers.CONTENT_TYPE, request.metadata().contentType());
      return new Told<>(answers.end(context, exchange, status, body));
    }

    Decision<TableError> json(int status, String body) {
      return json(status, new AsciiOut().put(JsonText.utf8(body)));
    }
  }

  static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException(
        "An outcome that nobody asked for: " + answer.outcome().getClass().getSimpleName());
  }
}
