package io.orrery.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.http.FuzzedHttp;
import io.orrery.http.Protocol;
import io.orrery.nosql.FuzzedNosql;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Memory;
import io.orrery.table.FuzzedTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sends a byte stream to both protocols as one connection. However it is cut, the same answers come
 * and the same operations are asked; none is an internal error, and all memory comes back.
 */
final class HttpTarget implements Target {
  private static final AccountKeys KEYS = new AccountKeys(List.of("a2V5a2V5a2V5a2V5"), List.of());
  private static final Pattern VARYING =
      Pattern.compile(
          "(?i)(date: [^\r"
              + "]*|x-ms-activity-id: [^\r"
              + "]*|x-ms-request-id: [^\r"
              + "]*|ActivityId:"
              + " [-0-9a-f]*|RequestId:[-0-9a-f]*|Time:[-0-9T:.Z]*|x-ms-request-duration-ms: [^\r"
              + "]*|x-ms-last-state-change-utc: [^\r"
              + "]*|(?:batch|changeset)response_[-0-9a-f]*)");

  private final AskedDatabase database = new AskedDatabase();
  private final Memory memory = Memory.process();
  private final Protocol<?> nosql = FuzzedNosql.service(KEYS, database);
  private final Protocol<?> table = FuzzedTable.service(KEYS, database);

  @Override
  public void run(byte[] input) {
    byte[] stream = Expansion.of(input);
    for (Protocol<?> protocol : List.of(nosql, table)) {
      List<String> whole = answers(protocol, stream, new byte[0]);
      List<String> cut = answers(protocol, stream, input);
      Finding.unlessEqual(whole, cut, "answers to a stream in pieces");
    }
  }

  /** What came back, and what was asked of the database. */
  private List<String> answers(Protocol<?> protocol, byte[] stream, byte[] cuts) {
    database.asked().clear();
    long before = memory.takenBytes(Memory.Lane.WIRE_IN);
    var channel = new EmbeddedChannel(FuzzedHttp.first(protocol, memory, Runnable::run));
    var written = new StringBuilder();
    try {
      FrameTarget.cut(channel, stream, cuts);
      channel.runPendingTasks();
      for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
        written.append(out.toString(StandardCharsets.ISO_8859_1));
        out.release();
      }
      channel.checkException();
    } finally {
      channel.finishAndReleaseAll();
    }
    Finding.unlessEqual(before, memory.takenBytes(Memory.Lane.WIRE_IN), "memory for bodies");
    String answered = VARYING.matcher(written).replaceAll("");
    Finding.unless(!answered.contains("HTTP/1.1 500 "), "An internal error: " + answered);
    var all = new ArrayList<>(database.asked());
    all.add(answered);
    return all;
  }
}
