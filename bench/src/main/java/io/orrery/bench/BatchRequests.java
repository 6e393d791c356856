package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Transactional batches that create a hundred items of one logical partition. */
final class BatchRequests implements Requests {
  static final int ITEMS = 100;
  private static final String BEFORE = "{\"operationType\":\"Create\",\"resourceBody\":";
  private static final String AFTER = "}";
  static final int FIRST_ITEM_AT = 1 + BEFORE.length();
  static final int BETWEEN_ITEMS = AFTER.length() + 1 + BEFORE.length();

  private final Documents documents;
  private final AtomicLong numbers;
  private final byte[] head;
  private final int keyDigitsAt;
  private final byte[] before = BEFORE.getBytes(StandardCharsets.US_ASCII);
  private final byte[] after = AFTER.getBytes(StandardCharsets.US_ASCII);

  /**
   * Batches without end.
   *
   * @param documents one after the other a hundred of them share a logical partition
   * @param numbers how many items were asked for; belongs to one server and only rises
   */
  BatchRequests(Documents documents, AtomicLong numbers) {
    this.documents = documents;
    this.numbers = numbers;
    String key = documents.key(0);
    int bodyBytes = FIRST_ITEM_AT + ITEMS * documents.bodyBytes() + (ITEMS - 1) * BETWEEN_ITEMS + 2;
    String text = new Account().batch(key, bodyBytes);
    head = text.getBytes(StandardCharsets.US_ASCII);
    keyDigitsAt = text.indexOf(key) + key.indexOf('0');
  }

  @Override
  public boolean next(ByteBuf out) {
    long first = numbers.getAndAdd(ITEMS);
    int start = out.writerIndex();
    out.writeBytes(head);
    documents.putKeyDigits(out, start + keyDigitsAt, first);
    out.writeByte('[');
    for (int i = 0; i < ITEMS; i++) {
      if (i > 0) {
        out.writeByte(',');
      }
      out.writeBytes(before);
      documents.write(out, first + i);
      out.writeBytes(after);
    }
    out.writeByte(']');
    return true;
  }
}
