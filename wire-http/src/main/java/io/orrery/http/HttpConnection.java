package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.orrery.operation.Answer;
import io.orrery.operation.Vitals;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
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
final class HttpConnection<E> extends ChannelInboundHandlerAdapter
    implements RequestReader.Taker<E> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  private final Hosting<E> hosting;
  private final Protocol<E> protocol;
  private final boolean tls;
  private final Deque<HttpObject> waiting = new ArrayDeque<>(0);
  // Set when the handler joins the pipeline, before anything else can happen.
  private @Nullable Setting<E> setting;
  private @Nullable Exchange executing;
  // Begun by ReadWatch, before bytes are decoded.
  final ConnectionWatch watch = new ConnectionWatch(LoopWatch.current(), () -> executing);
  private boolean reading;
  private boolean accepting;

  HttpConnection(Hosting<E> hosting, boolean tls) {
    this.hosting = hosting;
    this.protocol = hosting.protocol();
    this.tls = tls;
  }

  /** What belongs to the channel and its event loop. */
  private record Setting<E>(
      ChannelHandlerContext context,
      Conversation<E> conversation,
      ConnectionClock clock,
      RequestReader<E> requests,
      AnswerRoom answers) {}

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    Conversation<E> conversation = protocol.conversation(Origin.of(context.channel(), tls));
    setting =
        new Setting<>(
            context,
            conversation,
            new ConnectionClock(context, protocol.patience(), this::outOfTime),
            new RequestReader<>(context, conversation, hosting, this),
            new AnswerRoom(hosting.bounds().memory(), context));
  }

  private Setting<E> setting() {
    return Objects.requireNonNull(setting, "The connection has no channel");
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    reading = true;
    watch.beginRead();
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
    boolean receiving = setting().requests().isReceiving();
    setting().clock().readSome(watch.readNanos(), executing != null, receiving);
    setting().requests().readComplete();
    setting().answers().flush();
    watch.endRead();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    setting().clock().writable(context.channel().isWritable());
    // This is called within a flush: the next answer is written in a task of its own.
    context.executor().execute(this::next);
  }

  /** Whether it reads what comes next, even if only to discard it. */
  boolean takesMore() {
    return isFree() || setting().clock().isClosing();
  }

  private boolean isFree() {
    return waiting.isEmpty() && canAccept();
  }

  private boolean canAccept() {
    return executing == null
        && !setting().requests().isWaiting()
        && setting().context().channel().isWritable();
  }

  /** Takes up what was held back, as far as it goes. */
  @Override
  public void next() {
    if (!accepting) {
      watch.run(this::takeUp);
    }
  }

  private void takeUp() {
    ChannelHandlerContext context = setting().context();
    while (!waiting.isEmpty() && canAccept()) {
      accept(waiting.remove());
    }
    RequestDecoder decoder = context.pipeline().get(RequestDecoder.class);
    if (decoder != null && isFree()) {
      decoder.resume();
    }
    if (waiting.isEmpty()
        && !setting().requests().isWaiting()
        && !RequestDecoder.isHolding(context)
        && !context.channel().config().isAutoRead()) {
      context.channel().config().setAutoRead(true);
    }
    if (!reading) {
      setting().answers().flush();
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
      if (part instanceof HttpContent content) {
        setting().requests().receive(content);
      }
    } finally {
      ReferenceCountUtil.release(part);
      accepting = false;
    }
  }

  private void begin(HttpRequest head) {
    var exchange = new Exchange(this, head);
    watch.began(exchange);
    setting().requests().begin(head, exchange);
  }

  @Override
  public void holdBack(HttpContent content) {
    waiting.addFirst(content.retain());
    setting().context().channel().config().setAutoRead(false);
  }

  @Override
  public void execute(Incoming<E> whole) {
    Exchange exchange = whole.exchange();
    executing = exchange;
    setting().clock().requestComplete(watch.beganNanos());
    E refusal = whole.refusal();
    if (refusal != null) {
      refuse(exchange, refusal);
      return;
    }
    boolean page = setting().conversation().isPage();
    Executor other = hosting.executorFor(whole.size(), exchange.routeName(), page);
    if (other == null) {
      decide(exchange, () -> setting().conversation().decide(setting().context(), whole));
    } else if (!exchange.decideOn(other, () -> decideOnWorker(whole))) {
      refuseForRoom(exchange);
    }
  }

  private void decideOnWorker(Incoming<E> whole) {
    Exchange exchange = whole.exchange();
    if (!exchange.isCancelled()) {
      decide(exchange, () -> setting().conversation().decide(setting().context(), whole));
    }
    if (exchange.workerEnds()) {
      // The connection is closed: nothing of it runs on the event loop any longer.
      setting().requests().release();
    }
  }

  /** On the event loop, or on a worker. */
  private void decide(Exchange exchange, Supplier<Conversation.Decision<E>> decision) {
    try {
      goOn(exchange, decision.get());
    } catch (RuntimeException | Error fault) {
      failed(exchange, fault);
    }
  }

  private void goOn(Exchange exchange, Conversation.Decision<E> decision) {
    switch (decision) {
      case Conversation.Ask<E>(var operation) -> protocol.database().execute(operation, exchange);
      case Conversation.AskWith<E>(var grant, var operation) ->
          protocol.database().execute(grant, operation, exchange);
      case Conversation.Write<E>(var writing) -> onEventLoop(() -> write(exchange, writing));
      case Conversation.Compute<E>(var work) ->
          hosting.workers().execute(() -> compute(exchange, work));
      case Conversation.Told<E>(int status) -> finished(exchange, status);
      case Conversation.Refuse<E>(E error) ->
          onEventLoop(() -> write(exchange, () -> written(exchange, error)));
    }
  }

  private void compute(Exchange exchange, Supplier<Conversation.Decision<E>> work) {
    if (!exchange.isCancelled()) {
      decide(exchange, work);
    }
  }

  private void write(Exchange exchange, IntSupplier writing) {
    if (executing == exchange) {
      finished(exchange, writing.getAsInt());
    }
  }

  /** The database answers, on whatever thread. */
  void answered(Exchange exchange, Answer answer) {
    AnswerRoom answers = setting().answers();
    long drawn = answers.draw(answer);
    Answer kept = drawn == AnswerRoom.NO_ROOM ? AnswerRoom.withoutContent(answer) : answer;
    if (setting().context().executor().inEventLoop()) {
      complete(exchange, kept, drawn);
    } else if (!onEventLoop(() -> complete(exchange, kept, drawn))) {
      answers.giveBack(drawn);
      setting().conversation().unheard(exchange, kept);
    }
  }

  /** The database could not answer. */
  void failed(Exchange exchange, Throwable fault) {
    onEventLoop(() -> fail(exchange, fault));
  }

  private boolean onEventLoop(Runnable task) {
    return EventLoops.run(setting().context().executor(), () -> watch.run(task));
  }

  private void refuseForRoom(Exchange exchange) {
    if (executing == exchange) {
      refuse(exchange, setting().conversation().broken(BrokenRequest.NO_ROOM));
    }
  }

  private void complete(Exchange exchange, Answer answer, long drawn) {
    if (executing != exchange) {
      setting().answers().giveBack(drawn);
      setting().conversation().unheard(exchange, answer);
      return;
    }
    setting().answers().hold(drawn);
    ChannelHandlerContext context = setting().context();
    Conversation<E> conversation = setting().conversation();
    try {
      if (drawn != AnswerRoom.NO_ROOM || conversation.shorten(answer.outcome())) {
        goOn(exchange, conversation.answered(context, exchange, answer));
      } else if (AnswerRoom.isRead(answer.outcome())) {
        refuseForRoom(exchange);
      } else {
        LOG.debug("An answer found no memory, activity {}", exchange.activityId());
        context.close();
      }
    } catch (RuntimeException | Error fault) {
      fail(exchange, fault);
    }
  }

  private void fail(Exchange exchange, Throwable fault) {
    if (executing == exchange) {
      exchange.report(fault);
      refuse(exchange, setting().conversation().fault());
    }
  }

  @Override
  public void refuseAndClose(Exchange exchange, E error) {
    executing = exchange;
    exchange.closeAfterwards();
    refuse(exchange, error);
  }

  private void refuse(Exchange exchange, E error) {
    finished(exchange, written(exchange, error));
  }

  private int written(Exchange exchange, E error) {
    return setting().conversation().refuse(setting().context(), exchange, error);
  }

  private void finished(Exchange exchange, int status) {
    executing = null;
    setting().requests().release();
    setting().answers().handedOver();
    protocol
        .observer()
        .answered(exchange.routeName(), status, System.nanoTime() - exchange.startNanos());
    setting().conversation().end();
    if (exchange.isLast()) {
      setting().clock().closeGently();
      releaseWaiting();
    }
    next();
  }

  private void outOfTime() {
    if (setting().requests().isReceiving()) {
      setting().requests().outOfTime();
    } else {
      setting().context().close();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == HttpServer.Event.STOPPING) {
      stop(context);
    } else if (event instanceof SslHandshakeCompletionEvent) {
      setting().clock().requestComplete(System.nanoTime());
    }
    context.fireUserEventTriggered(event);
  }

  private void stop(ChannelHandlerContext context) {
    if (executing != null || setting().requests().isReceiving()) {
      // The answer will be the last one.
      return;
    }
    ChannelOutboundBuffer unwritten = context.channel().unsafe().outboundBuffer();
    if (unwritten != null && unwritten.totalPendingWriteBytes() > 0) {
      setting().clock().closeGently();
      releaseWaiting();
    } else {
      context.close();
    }
  }

  boolean isStopping() {
    return hosting.stopping().get();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (executing == null || executing.cancel()) {
      setting().requests().release();
    }
    executing = null;
    setting().answers().handedOver();
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
      if (cause instanceof Error) {
        Vitals.count(Vitals.Symptom.UNCAUGHT_ERROR);
      }
      LOG.error("A connection failed", cause);
    }
    context.close();
  }
}
