package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/** Answers with the head that Orrery sent and the body that one get finds. */
final class BareReader implements BareBackend {
  private final BareStore store;
  private final ReadOptions options = new ReadOptions();
  private final byte[] head;

  BareReader(BareStore store, Answer answer) {
    this.store = store;
    this.head = answer.head().getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String metrics() {
    return store.metrics();
  }

  @Override
  public void serve(ChannelHandlerContext context, Call call) {
    try {
      byte[] value = store.db().get(options, BareStore.primary(call.key(), call.id()));
      if (value == null) {
        throw new BenchFault("The bare store has no item " + call.id());
      }
      ByteBuf out = context.alloc().directBuffer(head.length + value.length);
      var _ = context.write(out.writeBytes(head).writeBytes(value), context.voidPromise());
    } catch (RocksDBException e) {
      throw new BenchFault("A get failed: " + e.getMessage(), e);
    }
  }
}
