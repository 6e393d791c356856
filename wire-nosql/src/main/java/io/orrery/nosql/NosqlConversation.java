package io.orrery.nosql;

import io.netty.channel.ChannelHandlerContext;
import io.orrery.http.BrokenRequest;
import io.orrery.http.Conversation;
import io.orrery.http.Exchange;
import io.orrery.http.Incoming;
import io.orrery.http.Origin;
import io.orrery.operation.Answer;
import org.jspecify.annotations.Nullable;

/** One connection's requests and answers in the Cosmos DB REST protocol. */
final class NosqlConversation implements Conversation<NosqlError> {
  private final NosqlAnswers answers;
  private final NosqlDispatch dispatch;
  // Of the exchange whose answer is awaited.
  private @Nullable NosqlRequest request;

  NosqlConversation(NosqlService service, Origin origin) {
    answers = service.answers();
    dispatch = new NosqlDispatch(service, origin, new Authenticator.KeyHint());
  }

  @Override
  public @Nullable NosqlError admit(Incoming<NosqlError> incoming) {
    return dispatch.admit(incoming.head());
  }

  @Override
  public Decision<NosqlError> decide(ChannelHandlerContext context, Incoming<NosqlError> incoming) {
    Exchange exchange = incoming.exchange();
    return switch (dispatch.decide(incoming)) {
      case NosqlDispatch.Ask(var operation, var asking, var grant) -> {
        request = asking;
        yield grant == null ? new Ask<>(operation) : new AskWith<>(grant, operation);
      }
      case NosqlDispatch.Tell(var json) ->
          new Told<>(answers.write(context, exchange, json.array()));
      case NosqlDispatch.Show(Page page) -> new Told<>(answers.write(context, exchange, page));
      case NosqlDispatch.Refuse(NosqlError error) -> new Refuse<>(error);
    };
  }

  @Override
  public Decision<NosqlError> answered(
      ChannelHandlerContext context, Exchange exchange, Answer answer) {
    if (request == null) {
      throw new IllegalStateException("An answer came that nobody asked for");
    }
    return new Told<>(answers.write(context, exchange, request, answer));
  }

  @Override
  public int refuse(ChannelHandlerContext context, Exchange exchange, NosqlError error) {
    return answers.write(context, exchange, error);
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
