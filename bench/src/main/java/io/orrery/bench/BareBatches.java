package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A hundred items per request, each request a synced write of its own, answered as Orrery did. */
final class BareBatches implements BareWriter.Shape {
  private final byte[] answer;
  private final int itemBytes;

  BareBatches(Answer answer, int itemBytes) {
    this.answer = (answer.head() + answer.body()).getBytes(StandardCharsets.US_ASCII);
    this.itemBytes = itemBytes;
  }

  @Override
  public int groupMax() {
    return 1;
  }

  /** Operations are all of one length, so nothing has to be parsed. */
  @Override
  public List<byte[]> items(byte[] body) {
    var items = new ArrayList<byte[]>(BatchRequests.ITEMS);
    int at = BatchRequests.FIRST_ITEM_AT;
    for (int i = 0; i < BatchRequests.ITEMS; i++) {
      items.add(Arrays.copyOfRange(body, at, at + itemBytes));
      at += itemBytes + BatchRequests.BETWEEN_ITEMS;
    }
    return items;
  }

  @Override
  public void answer(ByteBuf out, byte[] body) {
    out.writeBytes(answer);
  }

  @Override
  public int answerBytes(byte[] body) {
    return answer.length;
  }
}
