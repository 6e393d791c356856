package io.orrery.cluster;

import java.nio.ByteBuffer;

/** What nodes that know each other send. The payload is handed over: nobody changes it. */
final class Frame {
  /** The largest payload. */
  static final int PAYLOAD_BYTES_MAX = 40 << 20;

  static final int HEADER_BYTES = 1 + Long.BYTES;

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
  private final byte[] payload;

  Frame(Kind kind, long id, byte[] payload) {
    this.kind = kind;
    this.id = id;
    this.payload = payload;
  }

  /**
   * The frame of these bytes, which are not fewer than a header.
   *
   * @throws IllegalArgumentException when they are none
   */
  static Frame of(byte[] plain) {
    var buffer = ByteBuffer.wrap(plain);
    Kind kind = Kind.of(buffer.get());
    long id = buffer.getLong();
    var payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new Frame(kind, id, payload);
  }

  byte[] plain() {
    return ByteBuffer.allocate(HEADER_BYTES + payload.length)
        .put(kind.code)
        .putLong(id)
        .put(payload)
        .array();
  }

  Kind kind() {
    return kind;
  }

  long id() {
    return id;
  }

  byte[] payload() {
    return payload;
  }
}
