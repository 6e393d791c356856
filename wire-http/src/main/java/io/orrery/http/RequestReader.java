package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * Receives the requests of one connection, as far as there is memory for their bodies. Belongs to
 * the connection's event loop.
 *
 * @param <E> the errors of the protocol
 */
// Writing is not waited for: a failure ends the connection.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestReader<E> {
  /** Receives requests. */
  interface Taker<E> {
    /** A request is there as a whole. */
    void execute(Incoming<E> whole);

    /** A request cannot be received; nothing can be read after it. */
    void refuseAndClose(Exchange exchange, E error);

    /** A part of a request waits for memory: it is to be received again after {@link #next}. */
    void holdBack(HttpContent content);

    /** There is room for what was held back. */
    void next();
  }

  private final ChannelHandlerContext context;
  private final Conversation<E> conversation;
  private final int bodyBytesMax;
  private final Taker<E> taker;
  private final BodyRoom room;
  private @Nullable Incoming<E> incoming;

  /** Whether the body of what is received came after its head, and not with it. */
  private boolean late;

  RequestReader(
      ChannelHandlerContext context,
      Conversation<E> conversation,
      Hosting<E> hosting,
      Taker<E> taker) {
    this.context = context;
    this.conversation = conversation;
    this.bodyBytesMax = hosting.protocol().bodyBytesMax();
    this.taker = taker;
    this.room =
        new BodyRoom(
            hosting.bounds().memory().in(), context.executor(), this::granted, this::evicted);
  }

  /** Whether a request was begun and is not there as a whole. */
  boolean isReceiving() {
    return incoming != null;
  }

  /** Whether what was held back must wait on. */
  boolean isWaiting() {
    return room.isWaiting();
  }

  /** Takes the head of a request. */
  void begin(HttpRequest head, Exchange exchange) {
    BrokenRequest broken = BrokenRequest.of(head);
    if (broken != null) {
      taker.refuseAndClose(exchange, conversation.broken(broken));
      return;
    }
    var begun =
        new Incoming<>(head, exchange, bodyBytesMax, conversation.broken(BrokenRequest.TOO_LARGE));
    if (!isLookedAt(begun)) {
      return;
    }
    incoming = begun;
    late = false;
    switch (Expectation.of(begun, bodyBytesMax)) {
      case NOTHING -> {}
      case CONTINUE -> context.writeAndFlush(Expectation.CONTINUE_LINE.duplicate());
      case REFUSED -> {
        E known = begun.refusal();
        giveUp(known == null ? conversation.broken(BrokenRequest.UNKNOWN_EXPECTATION) : known);
      }
    }
  }

  /** Lets the protocol refuse the request by its head; false when it could not even look. */
  private boolean isLookedAt(Incoming<E> begun) {
    try {
      E refusal = conversation.admit(begun);
      if (refusal != null) {
        begun.refuse(refusal);
      }
      return true;
    } catch (RuntimeException | Error fault) {
      begun.exchange().report(fault);
      taker.refuseAndClose(begun.exchange(), conversation.fault());
      return false;
    }
  }

  /** Takes a part of the body; what follows a request that was given up is thrown away. */
  void receive(HttpContent content) {
    Incoming<E> begun = incoming;
    if (begun == null) {
      return;
    }
    BrokenRequest broken = BrokenRequest.of(content.decoderResult());
    if (broken != null) {
      giveUp(broken);
      return;
    }
    if (!hasRoom(begun, content)) {
      return;
    }
    begun.append(content.content());
    E refusal = begun.refusal();
    if (content instanceof LastHttpContent) {
      incoming = null;
      room.complete();
      // Keys are removed meanwhile: a head that came in time must not open what follows.
      if (!late || refusal != null || isLookedAt(begun)) {
        taker.execute(begun);
      }
    } else if (begun.isEndless() && refusal != null) {
      giveUp(refusal);
    }
  }

  /** Draws what the part needs, or holds the connection back until there is room. */
  private boolean hasRoom(Incoming<E> begun, HttpContent content) {
    long lacking = begun.lacking(content.content().readableBytes());
    if (lacking == 0) {
      return true;
    }
    if (!room.canHold(lacking)) {
      giveUp(BrokenRequest.NO_ROOM);
      return false;
    }
    if (room.draw(lacking)) {
      begun.grant(lacking);
      return true;
    }
    taker.holdBack(content);
    return false;
  }

  private void granted(long bytes) {
    if (incoming != null) {
      incoming.grant(bytes);
      room.unfinished();
    }
    taker.next();
  }

  /** Nothing more has come for now. */
  void readComplete() {
    if (incoming != null) {
      late = true;
      room.unfinished();
    }
  }

  private void evicted() {
    giveUp(BrokenRequest.NO_ROOM);
  }

  /** The request takes too long. */
  void outOfTime() {
    giveUp(room.isWaiting() ? BrokenRequest.NO_ROOM : BrokenRequest.TOO_SLOW);
  }

  private void giveUp(BrokenRequest why) {
    giveUp(conversation.broken(why));
  }

  private void giveUp(E error) {
    if (incoming != null) {
      Exchange exchange = incoming.exchange();
      incoming = null;
      taker.refuseAndClose(exchange, error);
    }
  }

  /** Returns the memory of the request that was answered or given up. */
  void release() {
    incoming = null;
    room.release();
  }
}
