package io.orrery.table;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.orrery.http.BrokenRequest;
import io.orrery.http.Conversation;
import io.orrery.http.Exchange;
import io.orrery.http.Incoming;
import io.orrery.http.Origin;
import io.orrery.operation.Answer;
import io.orrery.operation.Bytes;
import io.orrery.operation.RequestCharge;
import org.jspecify.annotations.Nullable;

/** One connection's requests and answers in the Azure Table protocol. */
final class TableConversation implements Conversation<TableError> {
  private final TableService service;
  private final Origin origin;
  private final Authenticator.KeyHint keyHint = new Authenticator.KeyHint();
  // Of the request being received.
  private @Nullable Incoming<TableError> current;
  private @Nullable TablePath path;
  private @Nullable QueryString parameters;
  private Access access = Access.Granted.READ_ONLY;
  // Of the exchange whose answer is awaited.
  private @Nullable Command command;

  TableConversation(TableService service, Origin origin) {
    this.service = service;
    this.origin = origin;
  }

  @Override
  public @Nullable TableError admit(Incoming<TableError> incoming) {
    current = incoming;
    HttpRequest head = incoming.head();
    String foreign = service.config().access().hosts().refusal(head.headers(), origin);
    if (foreign != null) {
      return TableError.of(403, "AuthorizationFailure", foreign);
    }
    path = TablePath.parse(head.uri(), service.config().account());
    parameters = QueryString.of(head.uri());
    if (path == null || parameters == null) {
      return TableErrors.BAD_PATH;
    }
    var asked =
        new Authenticator.Asked(head.method().name(), path, parameters, head.headers(), origin);
    access = service.authenticator().admit(asked, keyHint);
    return access instanceof Access.Denied(TableError error) ? error : null;
  }

  @Override
  public Decision<TableError> decide(ChannelHandlerContext context, Incoming<TableError> incoming) {
    if (path == null || parameters == null) {
      return new Refuse<>(TableErrors.BAD_PATH);
    }
    HttpRequest head = incoming.head();
    var request =
        new TableRequest(
            TableRequest.method(head.method().name(), head.headers()),
            path,
            parameters,
            head.headers(),
            Bytes.of(incoming.body()),
            origin);
    TableCommands.Line route = TableCommands.of(request);
    if (route == null) {
      return new Refuse<>(TableCommands.noRoute(request));
    }
    incoming.exchange().routed(route.name());
    try {
      command =
          route
              .command()
              .apply(
                  new Command.Call(
                      context,
                      incoming.exchange(),
                      request,
                      service.answers(),
                      service.config(),
                      access));
      return command.begin();
    } catch (RefusedRequest refused) {
      return new Refuse<>(refused.error());
    }
  }

  @Override
  public Decision<TableError> answered(
      ChannelHandlerContext context, Exchange exchange, Answer answer) {
    if (command == null) {
      throw new IllegalStateException("An answer came that nobody asked for");
    }
    try {
      return command.answered(answer);
    } catch (RefusedRequest refused) {
      return new Refuse<>(refused.error());
    }
  }

  @Override
  public int refuse(ChannelHandlerContext context, Exchange exchange, TableError error) {
    // What could not be read at all is not the request that was admitted last.
    Echo echo =
        current != null && current.exchange() == exchange
            ? Echo.of(current.head().headers())
            : Echo.NONE;
    return service.answers().error(context, exchange, echo, RequestCharge.NONE, error);
  }

  @Override
  public TableError broken(BrokenRequest broken) {
    return TableErrors.broken(broken);
  }

  @Override
  public TableError fault() {
    return TableErrors.FAULT;
  }
}
