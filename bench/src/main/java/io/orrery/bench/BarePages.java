package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/**
 * Answers as whoever knows beforehand what will be asked: scans a hundred entries from where the
 * request says, fetches their items in one call, and sends them between the head and the brackets
 * that Orrery sent.
 */
final class BarePages implements BareBackend {
  static final String BATCH = "batch";
  static final String RANK = "rank";
  private static final byte[] VALUE = "\"value\":".getBytes(StandardCharsets.US_ASCII);
  private static final int COUNTER_BYTES = 8;
  private static final String LENGTH = "content-length: ";

  private final BareStore store;
  private final Function<Call, byte[]> start;
  private final ReadOptions options = new ReadOptions();
  private final byte[] head;
  private final byte[] begin;
  private final byte[] end;

  private BarePages(BareStore store, Answer answer, Function<Call, byte[]> start) {
    this.store = store;
    this.start = start;
    this.head = withoutLength(answer.head()).getBytes(StandardCharsets.US_ASCII);
    String body = answer.body();
    int documents = body.indexOf('[') + 1;
    this.begin = body.substring(0, documents).getBytes(StandardCharsets.US_ASCII);
    this.end = body.substring(body.lastIndexOf(']')).getBytes(StandardCharsets.US_ASCII);
  }

  /** For queries: index entries from the one that the parameter names. */
  static BarePages ofQueries(BareStore store, Answer answer) {
    return new BarePages(store, answer, call -> indexEntry(call.body()));
  }

  /** For the change feed: the latest versions behind the transaction that the reader has seen. */
  static BarePages ofChanges(BareStore store, Answer answer) {
    return new BarePages(
        store, answer, call -> BareStore.latest(Long.parseLong(call.etag()) + 1, 0));
  }

  private static String withoutLength(String head) {
    var kept = new StringBuilder();
    head.lines()
        .filter(
            line -> !line.isEmpty() && !line.regionMatches(true, 0, LENGTH, 0, LENGTH.length() - 1))
        .forEach(line -> kept.append(line).append("\r\n"));
    return kept.append(LENGTH).toString();
  }

  @Override
  public String metrics() {
    return store.metrics();
  }

  @Override
  public void serve(ChannelHandlerContext context, Call call) {
    try {
      List<byte[]> items = store.db().multiGetAsList(options, scan(start.apply(call)));
      long bytes = begin.length + end.length + items.size() - 1L;
      for (byte[] item : items) {
        bytes += item.length;
      }
      ByteBuf out = context.alloc().directBuffer((int) bytes + head.length + 16);
      out.writeBytes(head).writeBytes((bytes + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(begin);
      for (int i = 0; i < items.size(); i++) {
        if (i > 0) {
          out.writeByte(',');
        }
        out.writeBytes(items.get(i));
      }
      var _ = context.write(out.writeBytes(end), context.voidPromise());
    } catch (RocksDBException e) {
      throw new BenchFault("A read failed: " + e.getMessage(), e);
    }
  }

  /** Where to begin: the parameter is a text for a batch and a number for a rank. */
  private static byte[] indexEntry(byte[] body) {
    int at = body.length - 1;
    while (!startsWith(body, at)) {
      at--;
    }
    int start = at + VALUE.length;
    if (body[start] == '"') {
      String batch =
          new String(body, start + 1, Documents.batch(0).length(), StandardCharsets.US_ASCII);
      return BareStore.index(BareTerms.text(BATCH, batch));
    }
    int end = start;
    while (body[end] >= '0' && body[end] <= '9') {
      end++;
    }
    String rank = new String(body, start, end - start, StandardCharsets.US_ASCII);
    return BareStore.index(BareTerms.number(RANK, Double.parseDouble(rank)));
  }

  private static boolean startsWith(byte[] body, int at) {
    for (int i = 0; i < VALUE.length; i++) {
      if (at + i >= body.length || body[at + i] != VALUE[i]) {
        return false;
      }
    }
    return true;
  }

  /** The keys of the items behind the next entries. */
  private List<byte[]> scan(byte[] from) throws RocksDBException {
    var items = new ArrayList<byte[]>(Documents.BATCH_ITEMS);
    try (var iterator = store.db().newIterator(options)) {
      for (iterator.seek(from);
          iterator.isValid() && items.size() < Documents.BATCH_ITEMS;
          iterator.next()) {
        byte[] entry = iterator.key();
        long counter = ByteBuffer.wrap(entry).getLong(entry.length - COUNTER_BYTES);
        items.add(BareStore.item(counter));
      }
      iterator.status();
    }
    return items;
  }
}
