package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Writes what Orrery writes for creates, entry by entry of the same size, in groups of one thread:
 * what waits goes down as one synced write, then everybody is answered. Sizes are those of the
 * partition room's layout 1, index entries and the counts of their paths included.
 */
final class BareWriter implements BareBackend {
  private static final int ID_AT = 7;
  private static final int ID_BYTES = 17;
  private static final int ID_DIGITS = 12;
  private static final byte[] HEAD_KEY = new byte[8];
  private static final byte[] HEAD = new byte[62];
  private static final byte[] NOTHING = {};

  private final BareStore store;
  private final BareTerms terms;
  private final Shape shape;
  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private long lsn;

  private record Waiting(ChannelHandlerContext context, Call call) {}

  /** What requests and answers look like. */
  interface Shape {
    /** How many requests may go down as one write. */
    int groupMax();

    /** The items of a request. */
    List<byte[]> items(byte[] body);

    void answer(ByteBuf out, byte[] body);

    int answerBytes(byte[] body);
  }

  BareWriter(BareStore store, BareTerms terms, Shape shape) {
    this.store = store;
    this.terms = terms;
    this.shape = shape;
    Thread.ofPlatform().daemon().name("group-writer").start(this::run);
  }

  @Override
  public String metrics() {
    return store.metrics();
  }

  @Override
  public void serve(ChannelHandlerContext context, Call call) {
    waiting.add(new Waiting(context, call));
  }

  private void run() {
    List<Waiting> group = new ArrayList<>();
    try (var options = new WriteOptions().setSync(true);
        var batch = new WriteBatch()) {
      while (true) {
        group.add(waiting.take());
        waiting.drainTo(group, shape.groupMax() - 1);
        for (Waiting member : group) {
          for (byte[] item : shape.items(member.call().body())) {
            put(batch, member.call().key(), item);
          }
        }
        for (String path : terms.paths()) {
          byte[] hash = ByteBuffer.allocate(8).putLong(BareTerms.hash(path)).array();
          batch.put(BareStore.join(0x0A, NOTHING, hash), hash);
        }
        batch.put(store.heads(), HEAD_KEY, HEAD);
        store.db().write(options, batch);
        group.forEach(member -> member.context().executor().execute(() -> answer(member)));
        batch.clear();
        group.clear();
      }
    } catch (RocksDBException e) {
      throw new BenchFault("A write failed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(WriteBatch batch, String key, byte[] body) throws RocksDBException {
    lsn++;
    byte[] id = Arrays.copyOfRange(body, ID_AT, ID_AT + ID_BYTES);
    byte[] logical = BareStore.logicalPartition(key);
    byte[] counter = ByteBuffer.allocate(8).putLong(lsn).array();
    byte[] item =
        ByteBuffer.allocate(27 + logical.length + id.length + body.length)
            .position(23)
            .put(logical)
            .put(id)
            .put(body)
            .array();
    byte[] history =
        ByteBuffer.allocate(35 + logical.length + id.length).put(logical).put(id).array();
    byte[] position = ByteBuffer.allocate(20).putLong(lsn).array();
    batch.put(BareStore.join(0x01, NOTHING, counter), item);
    batch.put(BareStore.join(0x02, logical, id), counter);
    batch.put(BareStore.join(0x03, logical, counter), NOTHING);
    batch.put(BareStore.join(0x04, counter, counter), NOTHING);
    batch.put(BareStore.join(0x05, NOTHING, position), history);
    batch.put(BareStore.join(0x06, logical, NOTHING), Arrays.copyOf(counter, 24));
    putTerms(batch, new String(id, StandardCharsets.US_ASCII), key, counter);
  }

  private void putTerms(WriteBatch batch, String id, String key, byte[] counter)
      throws RocksDBException {
    long number = Long.parseLong(id, ID_BYTES - ID_DIGITS, ID_BYTES, 10);
    batch.put(BareStore.join(0x08, BareTerms.text("id", id), counter), NOTHING);
    batch.put(BareStore.join(0x08, BareTerms.text("pk", key), counter), NOTHING);
    for (byte[] term : terms.fixed(number)) {
      batch.put(BareStore.join(0x08, term, counter), NOTHING);
    }
  }

  private void answer(Waiting member) {
    byte[] body = member.call().body();
    ChannelHandlerContext context = member.context();
    ByteBuf out = context.alloc().directBuffer(shape.answerBytes(body));
    shape.answer(out, body);
    var _ = context.writeAndFlush(out, context.voidPromise());
  }
}
