package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.orrery.operation.Memory;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients send that have shown no key yet. */
class RequestDecoderTest {
  private static final String REQUEST = "GET / HTTP/1.1\r\n\r\n";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** 64 KB are for heads. */
  private final Memory memory = Memory.ofHeap(2 << 20);

  private final LaneRoom heads = new LaneRoom(memory, Memory.Lane.WIRE_HEAD, System::nanoTime);
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private boolean taken = true;

  @AfterEach
  void returnsItsMemory() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
  }

  /** A connection that takes up the next request when the test says so. */
  private EmbeddedChannel connect() {
    var busy =
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            taken &= !(message instanceof LastHttpContent);
            context.fireChannelRead(message);
          }
        };
    var channel = new EmbeddedChannel(new RequestDecoder(() -> taken, heads), busy);
    channels.add(channel);
    return channel;
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static HttpRequest nextHead(EmbeddedChannel channel) {
    return assertInstanceOf(HttpRequest.class, channel.readInbound());
  }

  /** Each would be put behind all before it: 16,000 of them held an event loop. */
  @Test
  void linesThatContinueHeadersAreRefusedInLargeHeads() {
    for (int lines : new int[] {1_000, 15_000}) {
      String folded = "GET / HTTP/1.1\r\na: b\r\n" + " x\r\n".repeat(lines) + "\r\n";
      EmbeddedChannel whole = connect();
      whole.writeInbound(bytes(folded));
      assertEquals(lines > 1_000, nextHead(whole).decoderResult().isFailure());
      taken = true;
      EmbeddedChannel inPieces = connect();
      for (int i = 0; i < folded.length(); i += 1_001) {
        inPieces.writeInbound(bytes(folded.substring(i, Math.min(i + 1_001, folded.length()))));
      }
      assertEquals(lines > 1_000, nextHead(inPieces).decoderResult().isFailure());
      taken = true;
    }
  }

  /** Not joined with others until they are too long together, which takes quadratic time. */
  @Test
  void theFirstLineThatContinuesAHeaderBehindManyOthersIsRefused() {
    String folded = "GET / HTTP/1.1\r\na: b\r\n" + " x: y\r\n".repeat(50_000) + "\r\n";
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes(folded));
    assertInstanceOf(
        IllegalArgumentException.class, nextHead(channel).decoderResult().cause(), "one line");
  }

  /** Only an empty line ends a head. */
  @Test
  void linesThatContinueHeadersAreFewBehindALineThatBeginsLikeAnEmptyOne() {
    for (String line : new String[] {"\ra: b", "\r"}) {
      String folded = "GET / HTTP/1.1\r\n" + line + "\r\n" + " \r\n".repeat(50_000) + "\r\n";
      EmbeddedChannel channel = connect();
      ByteBuf head = bytes(folded);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      channel.writeInbound(head);
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertTrue(nextHead(channel).decoderResult().isFailure());
      assertTrue(allocated < 128 << 20, () -> allocated + " bytes");
    }
  }

  /** Nothing is kept of it. */
  @Test
  void whatFollowsABrokenHeadIsNotDrawn() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes("GET / HTTP/1.1\r\nno header\r\n\r\n"));
    assertTrue(nextHead(channel).decoderResult().isFailure());
    for (int i = 0; i < 10; i++) {
      channel.writeInbound(bytes("x".repeat(16 << 10)));
      assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
    }
    assertTrue(channel.isOpen(), "the client may still read why");
  }

  /** Whatever came together with it. */
  @Test
  void linesThatContinueHeadersAreTakenInSmallHeads() {
    EmbeddedChannel channel = connect();
    String head = "POST / HTTP/1.1\r\nContent-Length: 20000\r\na: b\r\n x\r\n\r\n";
    channel.writeInbound(bytes(head + "x".repeat(20_000)));
    assertEquals("b x", nextHead(channel).headers().get("a"));
  }

  @Test
  void bodiesBehindLargeHeadsMayHaveBlanks() {
    EmbeddedChannel channel = connect();
    String head = "POST / HTTP/1.1\r\nContent-Length: 8\r\na: " + "b".repeat(9_000) + "\r\n\r\n";
    channel.writeInbound(bytes(head + "\r\n \r\n x"));
    assertTrue(nextHead(channel).decoderResult().isSuccess());
    HttpContent body = assertInstanceOf(HttpContent.class, channel.readInbound());
    assertEquals("\r\n \r\n x", body.content().toString(StandardCharsets.US_ASCII));
    body.release();
  }

  /** They may be folded, too. */
  @Test
  void longTrailersEndTheConnection() {
    for (int lines : new int[] {1_000, 15_000}) {
      EmbeddedChannel channel = connect();
      channel.writeInbound(bytes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
      assertTrue(nextHead(channel).decoderResult().isSuccess());
      channel.writeInbound(bytes("0\r\na: b\r\n" + " x\r\n".repeat(lines) + "\r\n"));
      LastHttpContent end = channel.readInbound();
      assertEquals(lines == 1_000, end != null);
      assertEquals(lines == 1_000, channel.isOpen());
      taken = true;
    }
  }

  @Test
  void chunksMayBeLong() {
    String text = "x".repeat(0x9000);
    // Wherever a chunk ends among the bytes that are parsed at a time.
    for (int first = 0xfe0; first <= 0x1000; first++) {
      EmbeddedChannel channel = connect();
      channel.writeInbound(bytes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
      assertTrue(nextHead(channel).decoderResult().isSuccess());
      String chunk = Integer.toHexString(first) + "\r\n" + text.substring(0, first) + "\r\n";
      channel.writeInbound(bytes(chunk + "9000\r\n" + text + "\r\n0\r\n\r\n"));
      int length = 0;
      for (HttpContent part = channel.readInbound(); part != null; part = channel.readInbound()) {
        length += part.content().readableBytes();
        part.release();
      }
      assertEquals(first + text.length(), length);
      assertFalse(taken, "the request has ended");
      taken = true;
    }
  }

  /** A client without a key would keep 64 KB of each connection by a single byte. */
  @Test
  void fewBytesOfANextRequestDoNotKeepTheBufferTheyCameIn() {
    EmbeddedChannel channel = connect();
    ByteBuf received = Unpooled.buffer(64 << 10);
    received.writeCharSequence(REQUEST + "G", StandardCharsets.US_ASCII);
    taken = true;
    channel.writeInbound(received);
    assertEquals(0, received.refCnt());
    taken = true;
    RequestDecoder decoder = channel.pipeline().get(RequestDecoder.class);
    decoder.resume();
    channel.writeInbound(bytes(REQUEST.substring(1)));
    assertEquals("/", nextHead(channel).uri());
    assertInstanceOf(LastHttpContent.class, channel.readInbound());
    assertEquals("GET", nextHead(channel).method().name());
  }

  @Test
  void requestsSentAheadAreNotParsed() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes(REQUEST.repeat(3)));
    RequestDecoder decoder = channel.pipeline().get(RequestDecoder.class);
    for (int i = 0; i < 3; i++) {
      assertEquals(2, channel.inboundMessages().size());
      assertEquals("/", nextHead(channel).uri());
      assertInstanceOf(LastHttpContent.class, channel.readInbound());
      assertEquals(i < 2, decoder.isHolding());
      assertEquals(i < 2, !channel.config().isAutoRead());
      taken = true;
      channel.config().setAutoRead(true);
      decoder.resume();
    }
    assertTrue(channel.inboundMessages().isEmpty());
  }

  @Test
  void blankLinesBeforeRequestsAreSkipped() {
    EmbeddedChannel channel = connect();
    for (int i = 0; i < 3; i++) {
      channel.writeInbound(bytes("\r\n".repeat(4_000)));
      channel.writeInbound(bytes("\n" + REQUEST));
      assertEquals("/", nextHead(channel).uri());
      assertInstanceOf(LastHttpContent.class, channel.readInbound());
      taken = true;
    }
    assertTrue(channel.isOpen());
  }

  @Test
  void blankLinesWithoutEndCloseTheConnectionAndDrawNothing() {
    EmbeddedChannel channel = connect();
    int sent = 0;
    while (channel.isOpen() && sent < 1_000) {
      channel.writeInbound(bytes("\r\n".repeat(500)));
      assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
      sent++;
    }
    assertEquals(17, sent); // 16 KB in all, as a line may have
  }

  @Test
  void blankLinesAreBoundedAlsoWhereARequestComesWithThem() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes("\r\n".repeat(10_000) + REQUEST));
    assertFalse(channel.isOpen());
    assertTrue(channel.inboundMessages().isEmpty());
  }

  @Test
  void aLargeHeadLeavesNothingBehind() {
    String large = "GET /1 HTTP/1.1\r\na: " + "x".repeat(20_000) + "\r\n\r\n";
    EmbeddedChannel channel = connect();
    RequestDecoder first = channel.pipeline().get(RequestDecoder.class);
    // The bytes of two requests behind it come at once, and then one by one.
    String next = "GET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n";
    channel.writeInbound(bytes(large + next));
    assertNotSame(first, channel.pipeline().get(RequestDecoder.class));
    for (int i = 1; i <= 3; i++) {
      assertEquals("/" + i, nextHead(channel).uri());
      assertInstanceOf(LastHttpContent.class, channel.readInbound());
      taken = true;
      channel.config().setAutoRead(true);
      channel.pipeline().get(RequestDecoder.class).resume();
    }
    for (byte one : large.getBytes(StandardCharsets.US_ASCII)) {
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {one}));
    }
    assertEquals("/1", nextHead(channel).uri());
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
  }

  @Test
  void aSmallHeadIsFollowedByTheSameDecoder() {
    EmbeddedChannel channel = connect();
    RequestDecoder first = channel.pipeline().get(RequestDecoder.class);
    String body = "POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\n" + "x".repeat(20_000);
    channel.writeInbound(bytes(body));
    assertSame(first, channel.pipeline().get(RequestDecoder.class));
  }

  @Test
  void headersAreFew() {
    EmbeddedChannel most = connect();
    most.writeInbound(bytes("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(100) + "\r\n"));
    assertTrue(nextHead(most).decoderResult().isSuccess());
    taken = true;
    EmbeddedChannel tooMany = connect();
    tooMany.writeInbound(bytes("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(102)));
    assertInstanceOf(TooLongHttpHeaderException.class, nextHead(tooMany).decoderResult().cause());
  }

  @Test
  void trailersAreFew() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"));
    assertTrue(nextHead(channel).decoderResult().isSuccess());
    channel.writeInbound(bytes("a:\r\n".repeat(102)));
    LastHttpContent last = assertInstanceOf(LastHttpContent.class, channel.readInbound());
    assertInstanceOf(TooLongHttpHeaderException.class, last.decoderResult().cause());
  }

  @Test
  void unfinishedHeadsAreDrawn() {
    EmbeddedChannel channel = connect();
    channel.writeInbound(bytes("GET / HTTP/1.1\r\na: "));
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
    channel.writeInbound(bytes("x".repeat(20_000)));
    assertEquals(32 << 10, memory.takenBytes(Memory.Lane.WIRE_HEAD));
    channel.writeInbound(bytes("x".repeat(20_000) + "\r\nb: "));
    assertEquals(48 << 10, memory.takenBytes(Memory.Lane.WIRE_HEAD));
    channel.writeInbound(bytes("y\r\n\r\n"));
    assertEquals(0, memory.takenBytes(Memory.Lane.WIRE_HEAD));
    assertEquals("y", Objects.requireNonNull(nextHead(channel).headers().get("b")));
  }

  @Test
  void aHeadThatFindsNoRoomEndsItsConnection() {
    connect().writeInbound(bytes("GET / HTTP/1.1\r\na: " + "x".repeat(40_000)));
    EmbeddedChannel second = connect();
    second.writeInbound(bytes("GET / HTTP/1.1\r\na: " + "x".repeat(3_000)));
    assertTrue(second.isOpen());
    second.writeInbound(bytes("x".repeat(30_000)));
    assertFalse(second.isOpen());
  }

  @Test
  void twoLengthsOfABodyAreRefused() {
    EmbeddedChannel channel = connect();
    String lengths = "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n";
    channel.writeInbound(bytes("POST / HTTP/1.1\r\n" + lengths + "0\r\n\r\n"));
    assertTrue(nextHead(channel).decoderResult().isFailure());
  }
}
