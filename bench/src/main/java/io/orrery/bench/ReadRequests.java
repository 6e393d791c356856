package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Point reads of items drawn uniformly, signed beforehand. */
final class ReadRequests implements Requests {
  /** More would only fill the memory: that many different items leave any cache. */
  private static final int SAMPLE_MAX = 200_000;

  private final byte[] bytes;
  private final int[] starts;

  private ReadRequests(byte[] bytes, int[] starts) {
    this.bytes = bytes;
    this.starts = starts;
  }

  static ReadRequests sign(Documents documents, long items) {
    return sign(new Account(), documents, items);
  }

  static ReadRequests sign(Account account, Documents documents, long items) {
    int count = (int) Math.min(items, SAMPLE_MAX);
    var random = new SplittableRandom(7);
    var out = new ByteArrayOutputStream(count * 512);
    var starts = new int[count + 1];
    for (int i = 0; i < count; i++) {
      long number = items <= SAMPLE_MAX ? i : random.nextLong(items);
      String request = account.readItem(Documents.id(number), documents.key(number));
      out.writeBytes(request.getBytes(StandardCharsets.US_ASCII));
      starts[i + 1] = out.size();
    }
    return new ReadRequests(out.toByteArray(), starts);
  }

  @Override
  public boolean next(ByteBuf out) {
    int i = ThreadLocalRandom.current().nextInt(starts.length - 1);
    out.writeBytes(bytes, starts[i], starts[i + 1] - starts[i]);
    return true;
  }
}
