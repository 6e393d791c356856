package io.orrery.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.orrery.http.FuzzedHttp;
import io.orrery.nosql.FuzzedNosql;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Memory;
import io.orrery.operation.ProcessorTime;
import io.orrery.query.Queries;
import io.orrery.table.FuzzedTable;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What protocols read in loops, at its limit: {@code docs/limits.md} lists what this prints. A loop
 * over all pairs of characters would take far more than the bounds.
 */
class WireCostsTest {
  private static final int RUNS = 8;
  private static final int LINE = 16 << 10;
  private static final int HEADERS = 62 << 10;
  private static final int BODY = 3 << 20;
  private static final int BATCH = 4 << 20;

  /** What is read to its end and refused; the rest is taken, so that all of it is read. */
  private static final Set<String> REFUSED =
      Set.of(
          "token of hashes",
          "filter of brackets",
          "batch of delimiters",
          "batch of dashes",
          "patch of many steps",
          "patch of a long path",
          "entity of many properties");

  private static final AccountKeys KEYS = new AccountKeys(List.of("a2V5a2V5a2V5a2V5"), List.of());

  /**
   * A reader and an input at the limit.
   *
   * @param boundMillis some ten times what it takes, and 60 ms at least
   * @param reading gives null where the input is refused
   */
  record Cost(String name, long boundMillis, Supplier<@Nullable Object> reading) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Cost> costs() {
    return Stream.of(heads(), tokens(), filters(), batches(), documents()).flatMap(List::stream);
  }

  private static List<Cost> heads() {
    String line = "GET /dbs/" + "d".repeat(LINE - 100) + " HTTP/1.1\r\n";
    String short100 =
        IntStream.range(0, 98)
            .mapToObj(i -> "h%d: %s\r\n".formatted(i, "v".repeat(HEADERS / 98 - 8)))
            .collect(Collectors.joining());
    String folded = "a: b\r\n" + " c\r\n".repeat(2_000);
    String blanks = "\r\n".repeat(LINE / 2 - 10);
    return List.of(
        new Cost("head of 78 KB", 60, () -> head(line + short100 + "\r\n")),
        new Cost(
            "head of one header", 60, () -> head(line + "a: " + "b".repeat(HEADERS) + "\r\n\r\n")),
        new Cost("folded lines", 60, () -> head("GET / HTTP/1.1\r\n" + folded + "\r\n")),
        new Cost("blanks", 60, () -> head(blanks + "GET / HTTP/1.1\r\n\r\n")),
        new Cost(
            "escapes", 60, () -> head("GET /dbs/" + "%41".repeat(5_000) + " HTTP/1.1\r\n\r\n")),
        new Cost(
            "parameters", 60, () -> head("GET /?" + "a=b&".repeat(4_000) + " HTTP/1.1\r\n\r\n")));
  }

  /** Null when the head itself is refused; what it asks for needs a signature. */
  private static @Nullable Object head(String head) {
    var first =
        FuzzedHttp.first(
            FuzzedTable.service(KEYS, new AskedDatabase()), Memory.process(), Runnable::run);
    var channel = new EmbeddedChannel(first);
    channel.writeInbound(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1));
    channel.runPendingTasks();
    ByteBuf answer = channel.readOutbound();
    String line = answer.toString(StandardCharsets.ISO_8859_1).split("\r\n", 2)[0];
    answer.release();
    channel.finishAndReleaseAll();
    return line.contains(" 401 ") ? line : null;
  }

  private static List<Cost> tokens() {
    String distinct =
        IntStream.range(0, HEADERS / 9).mapToObj(i -> i + ":1").collect(Collectors.joining(","));
    return List.of(
        new Cost("token of ranges", 60, () -> FuzzedNosql.sessionToken(distinct)),
        new Cost(
            "token of regions",
            60,
            () -> FuzzedNosql.sessionToken("0:1#1" + "#1=1".repeat(HEADERS / 4))),
        new Cost(
            "token of hashes",
            60,
            () -> FuzzedNosql.sessionToken("0:1" + "#1".repeat(HEADERS / 2))),
        new Cost(
            "token of one range",
            60,
            () -> FuzzedNosql.sessionToken("0:1,".repeat(HEADERS / 4) + "0:1")));
  }

  private static List<Cost> filters() {
    String comparisons =
        IntStream.range(0, 500)
            .mapToObj(i -> "a" + i + " gt 'b" + i + "'")
            .collect(Collectors.joining(" or "));
    String nested = "(".repeat(99) + "a eq 1" + ")".repeat(99);
    return List.of(
        new Cost("filter of 500 comparisons", 60, () -> FuzzedTable.filter(comparisons)),
        new Cost("filter of 500 comparisons as a query", 200, () -> query(comparisons)),
        new Cost("filter nested 99 deep", 60, () -> query(nested)),
        new Cost("filter of a text", 60, () -> query("a eq '" + "''".repeat(LINE / 2 - 10) + "'")),
        new Cost("filter of brackets", 60, () -> FuzzedTable.filter("(".repeat(LINE))));
  }

  private static @Nullable Object query(String text) {
    FuzzedTable.Condition condition = FuzzedTable.filter(text);
    return condition == null
        ? null
        : Queries.compile("SELECT VALUE 1 FROM c WHERE " + condition.sql());
  }

  private static List<Cost> batches() {
    String part =
        "--c\r\nContent-Type: application/http\r\n\r\nPUT http://h/t(PartitionKey='p',RowKey='r')"
            + " HTTP/1.1\r\nContent-Type: application/json\r\n\r\n%s\r\n";
    String changes =
        part.formatted("{\"a\":\"" + "x".repeat(BATCH / 100 - 200) + "\"}").repeat(100);
    String small = part.formatted("{}").repeat(BATCH / (part.length() + 2));
    return List.of(
        new Cost("batch of 100 large parts", 400, () -> batch(changes)),
        new Cost("batch of small parts", 400, () -> batch(small)),
        new Cost("batch of delimiters", 400, () -> batch("--c\r\n".repeat(BATCH / 5))),
        new Cost("batch of dashes", 400, () -> batch("-".repeat(BATCH))),
        new Cost("batch of line ends", 400, () -> batch("\r\n".repeat(BATCH / 2))));
  }

  private static @Nullable Object batch(String changes) {
    String body =
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + changes + "--c--\r\n--b--\r\n";
    return FuzzedTable.batch(
        "multipart/mixed; boundary=b", body.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static List<Cost> documents() {
    String value = "{\"op\":\"add\",\"path\":\"/a\",\"value\":[" + "0,".repeat(BODY / 20) + "0]}";
    byte[] values = bytes("[", Collections.nCopies(10, value).stream(), "]");
    byte[] steps =
        bytes(
            "[",
            Collections.nCopies(BODY / 28, "{\"op\":\"remove\",\"path\":\"/a\"}").stream(),
            "]");
    byte[] path =
        bytes("[{\"op\":\"remove\",\"path\":\"", Stream.of("/a".repeat(BODY / 2 - 20)), "\"}]");
    byte[] properties =
        bytes(
            "{",
            IntStream.range(0, 252).mapToObj(i -> "\"p%d\":\"%s\"".formatted(i, "x".repeat(4_000))),
            "}");
    byte[] many = bytes("{", IntStream.range(0, BATCH / 12).mapToObj("\"p%d\":0"::formatted), "}");
    byte[] binary =
        bytes(
            "{\"a@odata.type\":\"Edm.Binary\",\"a\":\"", Stream.of("AAAA".repeat(16 << 10)), "\"}");
    byte[] item =
        bytes("{\"id\":\"1\",\"a\":[", Collections.nCopies(2 << 17, "{\"b\":1}").stream(), "]}");
    return List.of(
        new Cost("patch of ten steps", 400, () -> patch(values)),
        new Cost("patch of many steps", 400, () -> patch(steps)),
        new Cost("patch of a long path", 400, () -> patch(path)),
        new Cost("entity of 252 properties", 60, () -> FuzzedTable.properties(properties)),
        new Cost("entity of many properties", 1_200, () -> FuzzedTable.properties(many)),
        new Cost("entity of bytes", 60, () -> FuzzedTable.properties(binary)),
        new Cost("JSON of an item of 2 MB", 200, () -> Json.parse(item)));
  }

  private static byte[] bytes(String before, Stream<String> parts, String behind) {
    return parts.collect(Collectors.joining(",", before, behind)).getBytes(StandardCharsets.UTF_8);
  }

  private static @Nullable Object patch(byte[] body) {
    try {
      return FuzzedNosql.patch(body);
    } catch (MalformedBody refused) {
      return null;
    }
  }

  @ParameterizedTest
  @MethodSource("costs")
  void staysWithinItsBound(Cost cost) {
    boolean refused = cost.reading().get() == null;
    assertEquals(REFUSED.contains(cost.name()), refused, cost.name());
    long best = Long.MAX_VALUE;
    for (int run = 0; run < RUNS; run++) {
      long before = ProcessorTime.nanos();
      var _ = cost.reading().get();
      best = Math.min(best, ProcessorTime.nanos() - before);
    }
    System.out.println("%s: %,d us".formatted(cost.name(), best / 1_000));
    long millis = best / 1_000_000;
    assertTrue(millis < cost.boundMillis(), () -> cost.name() + " takes " + millis + " ms");
  }
}
