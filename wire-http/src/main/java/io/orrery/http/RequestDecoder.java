package io.orrery.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests one by one, when the connection takes them up. What a client sends ahead stays
 * bytes: parsed requests take many times as much memory. Belongs to the connection's event loop.
 */
// Closing is not waited for.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestDecoder extends HttpRequestDecoder {
  private static final int LINE_BYTES_MAX = 16 << 10;
  private static final int HEADERS_BYTES_MAX = 64 << 10;

  /** Above this the decoder is replaced: it keeps a buffer of the longest line it has met. */
  private static final int KEPT_BYTES_MAX = 8 << 10;

  /** A buffer of this capacity is kept, however little of it is used. */
  private static final int FREE_CAPACITY_BYTES = 4 << 10;

  /**
   * A line that continues a header is refused behind so many bytes of a head, and trailers are no
   * longer: Netty joins folded lines in time that is quadratic in their number.
   */
  private static final int FOLDED_BYTES_MAX = 8 << 10;

  /** So much of a chunked body is parsed at a time. */
  private static final int CHUNK_BYTES_MAX = 4 << 10;

  /** No name of a header begins with this byte. */
  private static final byte NO_HEADER = 0;

  private final BooleanSupplier taken;
  private final LaneRoom heads;
  private final HeadRoom room;
  private @Nullable ChannelHandlerContext own;
  private int parsedBytes;

  /** Blank bytes since the last request. */
  private int blankBytes;

  private boolean amidRequest;
  private boolean amidHead;
  private boolean chunked;

  /** Whether a request was malformed: what follows is thrown away. */
  private boolean broken;

  private boolean holding;
  private boolean large;
  // Whether the request that made it large has ended: another decoder parses the next.
  private boolean spent;

  /**
   * @param taken whether the connection takes up what comes next
   */
  RequestDecoder(BooleanSupplier taken, LaneRoom heads) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(HEADERS_BYTES_MAX)
            .setHeadersFactory(FewHeaders.FACTORY)
            .setTrailersFactory(FewHeaders.FACTORY));
    this.taken = taken;
    this.heads = heads;
    this.room = new HeadRoom(heads);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    own = added;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    if (spent) {
      return;
    }
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (!taken.getAsBoolean()) {
      holding = true;
      context.channel().config().setAutoRead(false);
      return;
    }
    if (!amidRequest && !skipBlanks(in)) {
      end(context, in);
      return;
    }
    int before = in.readableBytes();
    if (amidHead && parsedBytes + before > FOLDED_BYTES_MAX) {
      spoilFoldedLines(in);
    }
    if (chunked) {
      decodeChunk(context, in, out);
    } else {
      super.decode(context, in, out);
    }
    parsedBytes += before - in.readableBytes();
    boolean trailersTooLong = chunked && parsedBytes > FOLDED_BYTES_MAX;
    if (!out.isEmpty() && !trailersTooLong) {
      amidRequest = !(out.getLast() instanceof LastHttpContent);
      amidHead = false;
      out.forEach(this::look);
      parsedBytes = 0;
      room.release();
      return;
    }
    boolean lineTooLong = chunked && in.readableBytes() == before && before >= CHUNK_BYTES_MAX;
    if (lineTooLong || trailersTooLong || !room.keep(parsedBytes + in.readableBytes(), context)) {
      out.forEach(ReferenceCountUtil::release);
      out.clear();
      end(context, in);
    }
  }

  /** Parses a few bytes: those that make no content are the size of a chunk, or trailers. */
  private void decodeChunk(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    int end = in.writerIndex();
    in.writerIndex(Math.min(end, in.readerIndex() + CHUNK_BYTES_MAX));
    try {
      super.decode(context, in, out);
    } finally {
      in.writerIndex(end);
    }
  }

  /**
   * Skips blank bytes before a request, as Netty does, which bounds them in each piece only. False
   * when all of them together are longer than a line may be.
   */
  private boolean skipBlanks(ByteBuf in) {
    int first = in.forEachByte(RequestDecoder::isBlank);
    int blanks = first < 0 ? in.readableBytes() : first - in.readerIndex();
    in.skipBytes(blanks);
    blankBytes += blanks;
    boolean allowed = blankBytes <= LINE_BYTES_MAX;
    if (first >= 0) {
      blankBytes = 0;
      amidRequest = true;
      amidHead = true;
    }
    return allowed;
  }

  private static boolean isBlank(byte value) {
    return value >= 0 && (Character.isISOControl(value) || Character.isWhitespace(value));
  }

  /**
   * Overwrites the beginning of all folded lines behind {@link #FOLDED_BYTES_MAX}, so that the head
   * is refused as malformed: at the second, because a header ends where the next one begins. Only
   * whole lines were parsed so far, so the buffer begins with one.
   */
  private void spoilFoldedLines(ByteBuf in) {
    int line = in.readerIndex();
    int allowed = line + FOLDED_BYTES_MAX - parsedBytes;
    while (line < in.writerIndex()) {
      byte first = in.getByte(line);
      if (line >= allowed && (first == ' ' || first == '\t')) {
        in.setByte(line, NO_HEADER);
      }
      int end = in.indexOf(line, in.writerIndex(), (byte) '\n');
      if (end < 0 || end == line || (end == line + 1 && first == '\r')) {
        return;
      }
      line = end + 1;
    }
  }

  private static void end(ChannelHandlerContext context, ByteBuf in) {
    in.skipBytes(in.readableBytes());
    context.flush(); // the answers to what came before
    context.close();
  }

  private void look(Object part) {
    broken |= part instanceof HttpObject object && object.decoderResult().isFailure();
    if (part instanceof HttpRequest head) {
      chunked = head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
      // Chunks have lines of their own, and trailers.
      large = chunked || parsedBytes > KEPT_BYTES_MAX;
    }
    if (part instanceof LastHttpContent last) {
      chunked = false;
      spent = large && last.decoderResult().isSuccess();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    shrink(context);
    super.channelReadComplete(context);
    renew(context);
  }

  /** Copies the few bytes of a next request out of the large buffer that they were received in. */
  private void shrink(ChannelHandlerContext context) throws Exception {
    ByteBuf rest = internalBuffer();
    int bytes = rest.readableBytes();
    if (bytes > 0 && rest.capacity() > FREE_CAPACITY_BYTES + 4 * bytes && !context.isRemoved()) {
      // Taken up instead of the buffer, which has nothing left to read.
      channelRead(context, context.alloc().buffer(bytes).writeBytes(rest));
    }
  }

  /** Replaces this decoder, so that an idle connection keeps no large buffer. */
  private void renew(ChannelHandlerContext context) {
    if (spent && !context.isRemoved()) {
      // Bytes behind the request that has ended go on to the next decoder.
      context.pipeline().replace(this, null, new RequestDecoder(taken, heads));
    }
  }

  /** Whether bytes wait for the connection to take up what comes next. */
  boolean isHolding() {
    return holding;
  }

  /** A large request is followed by another decoder, and a closed channel has none. */
  static boolean isHolding(ChannelHandlerContext context) {
    RequestDecoder decoder = context.pipeline().get(RequestDecoder.class);
    return decoder != null && decoder.isHolding();
  }

  /** Parses what waits, as far as it is taken up. */
  void resume() {
    ChannelHandlerContext context = own;
    if (holding && context != null) {
      holding = false;
      try {
        channelRead(context, Unpooled.EMPTY_BUFFER);
      } catch (Exception fault) {
        context.fireExceptionCaught(fault);
      }
      context.fireChannelReadComplete();
      renew(context);
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) throws Exception {
    room.release();
    super.handlerRemoved0(context);
  }
}
