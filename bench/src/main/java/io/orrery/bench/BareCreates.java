package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One item per request, which comes back with the tail that Orrery gave it. */
final class BareCreates implements BareWriter.Shape {
  private static final int GROUP_MAX = 2_048;

  private final byte[] head;
  private final byte[] tail;

  BareCreates(Answer answer, String tail) {
    this.head = answer.head().getBytes(StandardCharsets.US_ASCII);
    this.tail = tail.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int groupMax() {
    return GROUP_MAX;
  }

  @Override
  public List<byte[]> items(byte[] body) {
    return List.of(body);
  }

  @Override
  public void answer(ByteBuf out, byte[] body) {
    out.writeBytes(head).writeBytes(body, 0, body.length - 1).writeBytes(tail);
  }

  @Override
  public int answerBytes(byte[] body) {
    return head.length + body.length + tail.length;
  }
}
