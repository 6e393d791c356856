package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Creates of items that nobody has created before, one number after the other. */
final class CreateRequests implements Requests {
  private final Documents documents;
  private final AtomicLong numbers;
  private final long end;
  private final byte[] head;
  private final int keyDigitsAt;

  private CreateRequests(Account account, Documents documents, AtomicLong numbers, long end) {
    this.documents = documents;
    this.numbers = numbers;
    this.end = end;
    String key = documents.key(0);
    String text = account.createItem(key, documents.bodyBytes());
    head = text.getBytes(StandardCharsets.US_ASCII);
    keyDigitsAt = text.indexOf(key) + key.indexOf('0');
  }

  /** Creates without end; {@code numbers} belongs to one server and only rises. */
  static CreateRequests endless(Documents documents, AtomicLong numbers) {
    return new CreateRequests(new Account(), documents, numbers, Long.MAX_VALUE);
  }

  /** Creates up to the number {@code end}. */
  static CreateRequests upTo(Documents documents, AtomicLong numbers, long end) {
    return upTo(new Account(), documents, numbers, end);
  }

  static CreateRequests upTo(Account account, Documents documents, AtomicLong numbers, long end) {
    return new CreateRequests(account, documents, numbers, end);
  }

  @Override
  public boolean next(ByteBuf out) {
    long number = numbers.getAndIncrement();
    if (number >= end) {
      return false;
    }
    int start = out.writerIndex();
    out.writeBytes(head);
    documents.putKeyDigits(out, start + keyDigitsAt, number);
    documents.write(out, number);
    return true;
  }
}
