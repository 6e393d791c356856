package io.orrery.cluster;

import java.nio.ByteBuffer;

/** What nodes that know each other send. The payload is handed over: nobody changes it. */
final class Frame {
  /** The largest payload. */
  static final int PAYLOAD_BYTES_MAX = 40 << 20;

  static final int HEADER_BYTES = 1 + Long.BYTES;

  /** Their places are part of the protocol. */
  enum Kind {
    REQUEST,
    ANSWER,
    /** There will be no answer; the payload says why. */
    FAULT
  }

  private static final Kind[] KINDS = Kind.values();

  private final Kind kind;
  private final long id;
  private final byte[] payload;

  Frame(Kind kind, long id, byte[] payload) {
    this.kind = kind;
    this.id = id;
    this.payload = payload;
  }

  /**
   * The frame of these bytes.
   *
   * @throws IllegalArgumentException when they are none
   */
  static Frame of(byte[] plain) {
    if (plain.length < HEADER_BYTES || plain[0] < 0 || plain[0] >= KINDS.length) {
      throw new IllegalArgumentException("not a frame of this version");
    }
    var buffer = ByteBuffer.wrap(plain);
    Kind kind = KINDS[buffer.get()];
    long id = buffer.getLong();
    var payload = new byte[buffer.remaining()];
    buffer.get(payload);
    return new Frame(kind, id, payload);
  }

  byte[] plain() {
    return ByteBuffer.allocate(HEADER_BYTES + payload.length)
        .put((byte) kind.ordinal())
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
