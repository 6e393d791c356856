package io.orrery.nosql;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.orrery.http.BrokenRequest;
import io.orrery.http.Conversation;
import io.orrery.http.Exchange;
import io.orrery.http.Incoming;
import io.orrery.http.Origin;
import io.orrery.operation.Answer;
import io.orrery.operation.Grant;
import io.orrery.operation.Outcome;
import io.orrery.operation.RequestCharge;
import org.jspecify.annotations.Nullable;

/** One connection's requests and answers in the Cosmos DB REST protocol. */
// Exchanges are compared as the objects that they are.
@SuppressWarnings("ReferenceEquality")
final class NosqlConversation implements Conversation<NosqlError> {
  private final NosqlAnswers answers;
  private final NosqlDispatch dispatch;
  // Of the request that was looked at last.
  private @Nullable Exchange admitted;
  private HttpMethod method = HttpMethod.GET;
  // Of the exchange whose answer is awaited.
  private @Nullable NosqlRequest request;
  private boolean byToken;

  NosqlConversation(NosqlService service, Origin origin) {
    answers = service.answers();
    dispatch = new NosqlDispatch(service, origin, new Authenticator.KeyHint());
  }

  @Override
  public @Nullable NosqlError admit(Incoming<NosqlError> incoming) {
    NosqlError error = dispatch.admit(incoming.head());
    admitted = incoming.exchange();
    method = incoming.head().method();
    if (error != null) {
      dispatch.refusedAtTheDoor(admitted, method, error);
      return error;
    }
    return dispatch.route(admitted);
  }

  @Override
  public boolean isPage() {
    return dispatch.isPage();
  }

  @Override
  public Decision<NosqlError> decide(ChannelHandlerContext context, Incoming<NosqlError> incoming) {
    Exchange exchange = incoming.exchange();
    return switch (dispatch.decide(incoming)) {
      case NosqlDispatch.Ask(var operation, var asking, var grant) -> {
        asked(asking, grant);
        yield grant == null ? new Ask<>(operation) : new AskWith<>(grant, operation);
      }
      case NosqlDispatch.RefusedByDatabase(var refusal, var asking, var grant) -> {
        asked(asking, grant);
        Answer answer = Answer.of(refusal, RequestCharge.NONE);
        yield new Write<>(() -> write(context, exchange, answer));
      }
      case NosqlDispatch.Tell(var json) ->
          new Write<>(() -> answers.write(context, exchange, json.array()));
      case NosqlDispatch.Show(Page page) ->
          new Write<>(() -> answers.write(context, exchange, page));
      case NosqlDispatch.Refuse(NosqlError error, RequestCharge charge) ->
          new Write<>(() -> refuse(context, exchange, error, charge));
    };
  }

  private void asked(NosqlRequest asking, @Nullable Grant grant) {
    request = asking;
    byToken = grant != null;
  }

  @Override
  public Decision<NosqlError> answered(
      ChannelHandlerContext context, Exchange exchange, Answer answer) {
    return new Told<>(write(context, exchange, answer));
  }

  private int write(ChannelHandlerContext context, Exchange exchange, Answer answer) {
    if (request == null) {
      throw new IllegalStateException("An answer came that nobody asked for");
    }
    Answer told = byToken ? ThrottledBy.withoutKeys(answer) : answer;
    int status = answers.write(context, exchange, request, told);
    dispatch.answered(exchange, method, status);
    return status;
  }

  @Override
  public boolean shorten(Outcome outcome) {
    boolean shown =
        switch (outcome) {
          case Outcome.ItemCreated _, Outcome.ItemReplaced _, Outcome.ItemRewritten _ -> false;
          case Outcome.StepsDone done ->
              done.steps().stream().anyMatch(step -> step.outcome() instanceof Outcome.ItemRead);
          default -> true;
        };
    if (shown || request == null) {
      return false;
    }
    request.headers().set(NosqlHeaders.PREFER, NosqlRequest.MINIMAL);
    return true;
  }

  @Override
  public void unheard(Exchange exchange, Answer answer) {
    if (exchange == admitted && request != null) {
      dispatch.answered(exchange, method, NosqlAnswers.status(answer.outcome(), request));
    }
  }

  @Override
  public void end() {
    admitted = null;
    request = null;
    dispatch.end();
  }

  @Override
  public int refuse(ChannelHandlerContext context, Exchange exchange, NosqlError error) {
    return refuse(context, exchange, error, RequestCharge.NONE);
  }

  private int refuse(
      ChannelHandlerContext context, Exchange exchange, NosqlError error, RequestCharge charge) {
    int status = answers.write(context, exchange, error, charge);
    // What could not be read at all is not the request that was admitted last.
    if (exchange == admitted) {
      dispatch.answered(exchange, method, status);
    }
    return status;
  }

  @Override
  public NosqlError broken(BrokenRequest broken) {
    return BrokenRequests.error(broken);
  }

  @Override
  public NosqlError fault() {
    return NosqlErrors.FAULT;
  }
}
