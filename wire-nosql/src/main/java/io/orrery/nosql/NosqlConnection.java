package io.orrery.nosql;

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
final class NosqlConnection extends ChannelInboundHandlerAdapter {
  /** Tells connections that the server stops. */
  enum Event {
    STOPPING
  }

  private static final Logger LOG = LoggerFactory.getLogger(NosqlConnection.class);

  private final NosqlService service;
  private final boolean tls;
  private final Queue<HttpObject> waiting = new ArrayDeque<>(0);
  private final Authenticator.KeyHint keyHint = new Authenticator.KeyHint();
  // Set when the handler joins the pipeline, before anything else can happen.
  private @Nullable Setting setting;
  private @Nullable Incoming incoming;
  private @Nullable Exchange executing;
  private boolean reading;
  private boolean accepting;
  private boolean stopping;

  NosqlConnection(NosqlService service, boolean tls) {
    this.service = service;
    this.tls = tls;
  }

  /** What belongs to the channel and its event loop. */
  private record Setting(
      ChannelHandlerContext context,
      NosqlAnswers answers,
      NosqlDispatch dispatch,
      ConnectionClock clock) {}

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    var local = context.channel().localAddress() instanceof InetSocketAddress inet ? inet : null;
    setting =
        new Setting(
            context,
            service.answers(),
            new NosqlDispatch(service, new NosqlRequest.Origin(tls, local), keyHint),
            new ConnectionClock(context, service.patience(), this::outOfTime));
  }

  private Setting setting() {
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
    var begun = new Incoming(head, exchange, service.bodyBytesMax());
    if (stopping) {
      exchange.closeAfterwards();
    }
    NosqlError broken = BrokenRequests.error(head.decoderResult());
    if (broken != null) {
      refuseAndClose(exchange, broken);
      return;
    }
    setting().dispatch().admit(begun);
    incoming = begun;
    switch (Expectation.of(begun, service.bodyBytesMax())) {
      case NOTHING -> {}
      case CONTINUE -> setting().context().writeAndFlush(Expectation.CONTINUE_LINE.duplicate());
      case REFUSED -> refuseAndClose(exchange, Expectation.refusal(begun));
    }
  }

  private void receive(Incoming begun, HttpContent content) {
    NosqlError broken = BrokenRequests.error(content.decoderResult());
    begun.append(content.content());
    if (broken != null) {
      refuseAndClose(begun.exchange(), broken);
    } else if (content instanceof LastHttpContent) {
      incoming = null;
      execute(begun);
    } else if (begun.isEndless() && begun.refusal() != null) {
      refuseAndClose(begun.exchange(), begun.refusal());
    }
  }

  private void execute(Incoming whole) {
    Exchange exchange = whole.exchange();
    executing = exchange;
    setting().clock().requestComplete();
    try {
      switch (setting().dispatch().decide(whole)) {
        case NosqlDispatch.Ask(var operation) -> service.database().execute(operation, exchange);
        case NosqlDispatch.Tell(var json) -> {
          int status = setting().answers().write(setting().context(), exchange, json.array());
          finished(exchange, status);
        }
        case NosqlDispatch.Show(Page page) -> {
          int status = setting().answers().write(setting().context(), exchange, page);
          finished(exchange, status);
        }
        case NosqlDispatch.Refuse(NosqlError error) -> refuse(exchange, error);
      }
    } catch (RuntimeException fault) {
      fail(exchange, fault);
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
    NosqlRequest request = exchange.request();
    if (executing != exchange || request == null) {
      return;
    }
    try {
      int status = setting().answers().write(setting().context(), exchange, request, answer);
      finished(exchange, status);
    } catch (RuntimeException fault) {
      fail(exchange, fault);
    }
  }

  private void fail(Exchange exchange, Throwable fault) {
    if (executing == exchange) {
      LOG.error("A request failed, activity {}", exchange.activityId(), fault);
      refuse(exchange, NosqlErrors.FAULT);
    }
  }

  private void refuseAndClose(Exchange exchange, NosqlError error) {
    incoming = null;
    executing = exchange;
    exchange.closeAfterwards();
    refuse(exchange, error);
  }

  private void refuse(Exchange exchange, NosqlError error) {
    finished(exchange, setting().answers().write(setting().context(), exchange, error));
  }

  private void finished(Exchange exchange, int status) {
    executing = null;
    service
        .config()
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
      refuseAndClose(incoming.exchange(), BrokenRequests.TOO_SLOW);
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
