package io.orrery.cluster;

import io.orrery.operation.DrawnBytes;
import java.nio.ByteBuffer;

/** What nodes that know each other send. The payload is handed over: nobody changes it. */
final class Frame {
  /** The largest payload. */
  static final int PAYLOAD_BYTES_MAX = 40 << 20;

  static final int HEADER_BYTES = 1 + Long.BYTES;

  /** What a frame costs beside its bytes: threads that work on it, or wait for it. */
  private static final int OVERHEAD_BYTES = 2 << 10;

  /** Their numbers are part of the protocol. */
  enum Kind {
    REQUEST(0),
    ANSWER(1),
    /** There will be no answer; the payload says why. */
    FAULT(2);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }

    static Kind of(byte code) {
      return switch (code) {
        case 0 -> REQUEST;
        case 1 -> ANSWER;
        case 2 -> FAULT;
        default -> throw new IllegalArgumentException("not a frame of this version");
      };
    }
  }

  private final Kind kind;
  private final long id;
  private final DrawnBytes payload;

  Frame(Kind kind, long id, byte[] payload) {
    this(kind, id, DrawnBytes.uncounted(payload));
  }

  private Frame(Kind kind, long id, DrawnBytes payload) {
    this.kind = kind;
    this.id = id;
    this.payload = payload;
  }

  /**
   * The frame of these bytes, which are not fewer than a header.
   *
   * @param giveBack returns what was drawn for them
   * @throws IllegalArgumentException when they are none
   */
  static Frame of(byte[] plain, Runnable giveBack) {
    var buffer = ByteBuffer.wrap(plain);
    Kind kind = Kind.of(buffer.get());
    long id = buffer.getLong();
    var payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new Frame(kind, id, new DrawnBytes(payload, giveBack));
  }

  byte[] plain() {
    byte[] bytes = payload.bytes();
    return ByteBuffer.allocate(HEADER_BYTES + bytes.length)
        .put(kind.code)
        .putLong(id)
        .put(bytes)
        .array();
  }

  /** What is drawn for a frame of so many bytes. */
  static long weight(int bytes) {
    return OVERHEAD_BYTES + (long) bytes;
  }

  Kind kind() {
    return kind;
  }

  long id() {
    return id;
  }

  byte[] payload() {
    return payload.bytes();
  }

  /** The payload with its reserved memory; the receiver closes it. */
  DrawnBytes drawn() {
    return payload;
  }
}
