package io.orrery.table;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.orrery.http.AuditTrail;
import io.orrery.http.AuditTrail.Event;
import io.orrery.http.BrokenRequest;
import io.orrery.http.Conversation;
import io.orrery.http.Exchange;
import io.orrery.http.Incoming;
import io.orrery.http.Origin;
import io.orrery.operation.Answer;
import io.orrery.operation.Bytes;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import org.jspecify.annotations.Nullable;

/** One connection's requests and answers in the Azure Table protocol. */
final class TableConversation implements Conversation<TableError> {
  private static final Bytes NO_BODY = Bytes.of(new byte[0]);

  private final TableService service;
  private final Origin origin;
  private final TableAnswers answers;
  private final Authenticator.KeyHint keyHint = new Authenticator.KeyHint();
  // Of the request being received.
  private @Nullable Incoming<TableError> current;
  private @Nullable TableRequest asked;
  private Access access = Access.Granted.READ_ONLY;
  private TableCommands.@Nullable Line route;
  // Of the exchange whose answer is awaited.
  private @Nullable Command command;

  TableConversation(TableService service, Origin origin) {
    this.service = service;
    this.origin = origin;
    this.answers = service.answers();
  }

  @Override
  public void unheard(Exchange exchange, Answer answer) {
    int status =
        switch (answer.outcome()) {
          case Outcome.ResourceCreated _ -> 201;
          case Refusal refusal -> TableErrors.of(refusal, exchange.activityId()).status();
          case Outcome.Success other -> 204;
        };
    noteChange(exchange, status);
  }

  @Override
  public void end() {
    current = null;
    asked = null;
    access = Access.Granted.READ_ONLY;
    route = null;
    command = null;
  }

  @Override
  public @Nullable TableError admit(Incoming<TableError> incoming) {
    end();
    current = incoming;
    TableError error = admitted(incoming.head());
    if (error != null && (error.status() == 401 || error.status() == 403)) {
      audit().refused(event("SignIn", error.status(), "none", incoming));
    }
    return error == null && asked != null ? routed(asked, incoming.exchange()) : error;
  }

  /** No body is kept of a request that has no route. */
  private @Nullable TableError routed(TableRequest request, Exchange exchange) {
    route = TableCommands.of(request);
    if (route == null) {
      return TableCommands.noRoute(request);
    }
    exchange.routed(route.name());
    return null;
  }

  private AuditTrail audit() {
    return service.config().access().audit();
  }

  private Event event(String name, int status, String caller, Incoming<TableError> incoming) {
    return Event.of(
        name, status, caller, incoming.head().method().name(), incoming.exchange(), origin);
  }

  private @Nullable TableError admitted(HttpRequest head) {
    String foreign = service.config().access().hosts().refusal(head, origin);
    if (foreign != null) {
      return TableError.of(403, "AuthorizationFailure", foreign);
    }
    TablePath path = TablePath.parse(head.uri(), service.config().account());
    QueryString parameters = QueryString.of(head.uri());
    if (path == null || parameters == null) {
      return TableErrors.BAD_PATH;
    }
    var signed =
        new Authenticator.Asked(head.method().name(), path, parameters, head.headers(), origin);
    access = service.authenticator().admit(signed, keyHint);
    if (access instanceof Access.Denied(TableError error)) {
      return error;
    }
    asked =
        new TableRequest(
            TableRequest.method(head.method().name(), head.headers()),
            path,
            parameters,
            head.headers(),
            NO_BODY,
            origin);
    return null;
  }

  @Override
  public Decision<TableError> decide(ChannelHandlerContext context, Incoming<TableError> incoming) {
    if (asked == null || route == null) {
      throw new IllegalStateException("A request came in that was not admitted");
    }
    byte[] body = incoming.body();
    TableRequest request = body.length == 0 ? asked : asked.with(Bytes.of(body));
    try {
      command =
          route
              .command()
              .apply(
                  new Command.Call(
                      context,
                      incoming.exchange(),
                      request,
                      answers,
                      service.config(),
                      access,
                      service.database()));
      return command.begin();
    } catch (RefusedRequest refused) {
      return new Write<>(() -> refuse(context, incoming.exchange(), refused));
    }
  }

  @Override
  public Decision<TableError> answered(
      ChannelHandlerContext context, Exchange exchange, Answer answer) {
    if (command == null) {
      throw new IllegalStateException("An answer came that nobody asked for");
    }
    try {
      Decision<TableError> decision = command.answered(answer);
      if (decision instanceof Told<TableError>(int status)) {
        noteChange(exchange, status);
      }
      return decision;
    } catch (RefusedRequest refused) {
      return new Refuse<>(refused.error());
    }
  }

  @Override
  public boolean shorten(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemCreated _, Outcome.ItemReplaced _, Outcome.StepsDone _ ->
          command != null && command.shorten();
      default -> false;
    };
  }

  @Override
  public int refuse(ChannelHandlerContext context, Exchange exchange, TableError error) {
    return refuse(context, exchange, new RefusedRequest(error));
  }

  private int refuse(ChannelHandlerContext context, Exchange exchange, RefusedRequest refused) {
    // What could not be read at all is not the request that was admitted last.
    Echo echo =
        current != null && current.exchange() == exchange
            ? Echo.of(current.head().headers())
            : Echo.NONE;
    noteChange(exchange, refused.error().status());
    return answers.error(context, exchange, echo, refused.charge(), refused.error());
  }

  // Exchanges are compared as the objects that they are.
  @SuppressWarnings("ReferenceEquality")
  private void noteChange(Exchange exchange, int status) {
    if (route != null && route.audited() && current != null && current.exchange() == exchange) {
      audit().changed(event(route.name(), status, access.caller(), current));
    }
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
