package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.orrery.operation.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: takes its requests one after the other, so that answers come in order, and holds
 * back what a client sends ahead. Everything happens on the connection's event loop; an answer that
 * comes from elsewhere is carried over to it.
 */
// Writing and closing are not waited for: a failure of either ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpConnection<E> extends ChannelInboundHandlerAdapter {
  /** Tells connections that the server stops. */
  enum Event {
    STOPPING
  }

  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  private final Protocol<E> protocol;
  private final boolean tls;
  private final Queue<HttpObject> waiting = new ArrayDeque<>(0);
  // Set when the handler joins the pipeline, before anything else can happen.
  private @Nullable Setting<E> setting;
  private @Nullable Incoming<E> incoming;
  private @Nullable Exchange executing;
  private boolean reading;
  private boolean accepting;
  private boolean stopping;

  HttpConnection(Protocol<E> protocol, boolean tls) {
    this.protocol = protocol;
    this.tls = tls;
  }

  /** What belongs to the channel and its event loop. */
  private record Setting<E>(
      ChannelHandlerContext context, Conversation<E> conversation, ConnectionClock clock) {}

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    setting =
        new Setting<>(
            context,
            protocol.conversation(
                new Origin(
                    tls,
                    inet(context.channel().localAddress()),
                    inet(context.channel().remoteAddress()))),
            new ConnectionClock(context, protocol.patience(), this::outOfTime));
  }

  private static @Nullable InetSocketAddress inet(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet ? inet : null;
  }

  private Setting<E> setting() {
    if (setting == null) {
      throw new IllegalStateException("The connection has no channel");
    }
    return setting;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    reading = true;
    if (setting().clock().isClosing() || !(message instanceof HttpObject part)) {
      ReferenceCountUtil.release(message);
    } else if (isFree()) {
      accept(part);
    } else {
      waiting.add(part);
      context.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    reading = false;
    setting().clock().readSome(executing != null, incoming != null);
    context.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    setting().clock().writable(context.channel().isWritable());
    next();
  }

  private boolean isFree() {
    return executing == null && waiting.isEmpty() && setting().context().channel().isWritable();
  }

  /** Takes up what was held back, as far as it goes. */
  private void next() {
    if (accepting) {
      return;
    }
    ChannelHandlerContext context = setting().context();
    while (executing == null && !waiting.isEmpty() && context.channel().isWritable()) {
      accept(waiting.remove());
    }
    if (waiting.isEmpty() && !context.channel().config().isAutoRead()) {
      context.channel().config().setAutoRead(true);
    }
    if (!reading) {
      context.flush();
    }
  }

  private void accept(HttpObject part) {
    accepting = true;
    try {
      if (setting().clock().isClosing()) {
        return;
      }
      if (part instanceof HttpRequest head) {
        begin(head);
      }
      if (part instanceof HttpContent content && incoming != null) {
        receive(incoming, content);
      }
    } finally {
      ReferenceCountUtil.release(part);
      accepting = false;
    }
  }

  private void begin(HttpRequest head) {
    var exchange = new Exchange(this, head);
    Conversation<E> conversation = setting().conversation();
    var begun =
        new Incoming<>(
            head, exchange, protocol.bodyBytesMax(), conversation.broken(BrokenRequest.TOO_LARGE));
    if (stopping) {
      exchange.closeAfterwards();
    }
    BrokenRequest broken = BrokenRequest.of(head.decoderResult());
    if (broken != null) {
      refuseAndClose(exchange, conversation.broken(broken));
      return;
    }
    E refusal = conversation.admit(begun);
    if (refusal != null) {
      begun.refuse(refusal);
    }
    incoming = begun;
    switch (Expectation.of(begun, protocol.bodyBytesMax())) {
      case NOTHING -> {}
      case CONTINUE -> setting().context().writeAndFlush(Expectation.CONTINUE_LINE.duplicate());
      case REFUSED -> {
        E known = begun.refusal();
        refuseAndClose(
            exchange,
            known == null ? conversation.broken(BrokenRequest.UNKNOWN_EXPECTATION) : known);
      }
    }
  }

  private void receive(Incoming<E> begun, HttpContent content) {
    BrokenRequest broken = BrokenRequest.of(content.decoderResult());
    begun.append(content.content());
    E refusal = begun.refusal();
    if (broken != null) {
      refuseAndClose(begun.exchange(), setting().conversation().broken(broken));
    } else if (content instanceof LastHttpContent) {
      incoming = null;
      execute(begun);
    } else if (begun.isEndless() && refusal != null) {
      refuseAndClose(begun.exchange(), refusal);
    }
  }

  private void execute(Incoming<E> whole) {
    Exchange exchange = whole.exchange();
    executing = exchange;
    setting().clock().requestComplete();
    E refusal = whole.refusal();
    if (refusal != null) {
      refuse(exchange, refusal);
      return;
    }
    try {
      goOn(exchange, setting().conversation().decide(setting().context(), whole));
    } catch (RuntimeException fault) {
      fail(exchange, fault);
    }
  }

  private void goOn(Exchange exchange, Conversation.Decision<E> decision) {
    switch (decision) {
      case Conversation.Ask<E>(var operation) -> protocol.database().execute(operation, exchange);
      case Conversation.AskWith<E>(var grant, var operation) ->
          protocol.database().execute(grant, operation, exchange);
      case Conversation.Told<E>(int status) -> finished(exchange, status);
      case Conversation.Refuse<E>(E error) -> refuse(exchange, error);
    }
  }

  /** The database answers, on whatever thread. */
  void answered(Exchange exchange, Answer answer) {
    if (setting().context().executor().inEventLoop()) {
      complete(exchange, answer);
    } else {
      onEventLoop(() -> complete(exchange, answer));
    }
  }

  /** The database could not answer. */
  void failed(Exchange exchange, Throwable fault) {
    if (setting().context().executor().inEventLoop()) {
      fail(exchange, fault);
    } else {
      onEventLoop(() -> fail(exchange, fault));
    }
  }

  private void onEventLoop(Runnable task) {
    try {
      setting().context().executor().execute(task);
    } catch (RejectedExecutionException stopped) {
      LOG.debug("An answer came after the server had stopped");
    }
  }

  private void complete(Exchange exchange, Answer answer) {
    if (executing != exchange) {
      return;
    }
    try {
      goOn(exchange, setting().conversation().answered(setting().context(), exchange, answer));
    } catch (RuntimeException fault) {
      fail(exchange, fault);
    }
  }

  private void fail(Exchange exchange, Throwable fault) {
    if (executing == exchange) {
      LOG.error("A request failed, activity {}", exchange.activityId(), fault);
      refuse(exchange, setting().conversation().fault());
    }
  }

  private void refuseAndClose(Exchange exchange, E error) {
    incoming = null;
    executing = exchange;
    exchange.closeAfterwards();
    refuse(exchange, error);
  }

  private void refuse(Exchange exchange, E error) {
    finished(exchange, setting().conversation().refuse(setting().context(), exchange, error));
  }

  private void finished(Exchange exchange, int status) {
    executing = null;
    protocol
        .observer()
        .answered(exchange.routeName(), status, System.nanoTime() - exchange.startNanos());
    if (exchange.isLast()) {
      setting().clock().closeGently();
      releaseWaiting();
    }
    next();
  }

  private void outOfTime() {
    if (incoming == null) {
      setting().context().close();
    } else {
      refuseAndClose(incoming.exchange(), setting().conversation().broken(BrokenRequest.TOO_SLOW));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == Event.STOPPING) {
      stop(context);
    } else if (event instanceof SslHandshakeCompletionEvent) {
      setting().clock().requestComplete();
    }
    context.fireUserEventTriggered(event);
  }

  private void stop(ChannelHandlerContext context) {
    stopping = true;
    if (executing != null) {
      executing.closeAfterwards();
    } else if (incoming != null) {
      incoming.exchange().closeAfterwards();
    } else {
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    incoming = null;
    if (executing != null) {
      executing.cancel();
    }
    executing = null;
    releaseWaiting();
    setting().clock().stop();
    context.fireChannelInactive();
  }

  private void releaseWaiting() {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException || cause instanceof DecoderException) {
      LOG.debug("A connection broke", cause);
    } else {
      LOG.error("A connection failed", cause);
    }
    context.close();
  }
}
