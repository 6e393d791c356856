package io.orrery.bench;

import io.orrery.query.CompiledQuery;
import io.orrery.query.ItemRows;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.script.CallBudget;
import io.orrery.script.ScriptFunctions;
import io.orrery.script.ScriptHost;
import io.orrery.script.ScriptSettings;
import io.orrery.script.ScriptText;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** User-defined functions in filters. */
@Command(
    name = "script",
    sortOptions = false,
    header = "Filters that call a user-defined function for every item.",
    description =
        "A query over stored texts whose filter is a function, beside the bare JavaScript engine"
            + " that calls the same function on the same values, already parsed there: once with"
            + " two properties as arguments, once with the whole item. The ratio is the time of the"
            + " query in times of the engine; that of the properties comes last.")
final class ScriptCommand implements Callable<Integer> {
  private static final String OF_PROPERTIES =
      """
      function pays(price, quantity) {
        const total = price * quantity;
        const rebate = total > 500 ? total * 0.05 : 0;
        return total - rebate > 400;
      }
      """;
  private static final String OF_ITEM =
      """
      function pays(item) {
        const total = item.price * item.quantity;
        const rebate = total > 500 ? total * 0.05 : 0;
        return total - rebate > 400;
      }
      """;

  /** As many items as a partition reads at a time. */
  private static final int STRETCH = 1_000;

  @Option(names = "--items", paramLabel = "N", description = "items to filter (100000)")
  int items = 100_000;

  @Option(names = "--rounds", paramLabel = "N", description = "rounds of each side (7)")
  int rounds = 7;

  @Override
  public Integer call() {
    var texts = new ArrayList<byte[]>();
    for (int i = 0; i < items; i++) {
      texts.add(text(i).getBytes(StandardCharsets.UTF_8));
    }
    String whole = measure("whole item", OF_ITEM, "pays(item)", "udf.pays(c)", texts);
    String properties =
        measure(
            "two properties",
            OF_PROPERTIES,
            "pays(item.price, item.quantity)",
            "udf.pays(c.price, c.quantity)",
            texts);
    System.out.println(whole);
    System.out.println(properties);
    return 0;
  }

  private static String text(int i) {
    return String.format(
        Locale.ROOT,
        "{\"id\":\"item-%08d\",\"pk\":\"key-%d\",\"price\":%d.%02d,\"quantity\":%d,\"tags\":[\"a%d\",\"b%d\"],\"address\":{\"street\":\"Street"
            + " %d\",\"city\":\"City %d\"},\"text\":\"%s\"}",
        i,
        i % 100,
        i % 97,
        i % 89,
        i % 13,
        i % 7,
        i % 11,
        i,
        i % 50,
        "x".repeat(120));
  }

  private String measure(
      String variant, String function, String call, String filter, List<byte[]> texts) {
    double[] bare = new double[rounds];
    double[] query = new double[rounds];
    try (var engine = bareEngine(function, call, texts);
        var host = new ScriptHost(ScriptSettings.DEFAULT)) {
      ScriptFunctions functions =
          host.functions(name -> new ScriptText(name, function), CallBudget.UNBOUNDED);
      var filtering = engine.getBindings("js").getMember("filtering");
      CompiledQuery compiled = Queries.compile("SELECT VALUE c.id FROM c WHERE " + filter);
      Parameters parameters = Parameters.none().with(new Called(functions));
      for (int round = -2; round < rounds; round++) {
        long start = System.nanoTime();
        int found = filtering.execute().asInt();
        double bareMillis = (System.nanoTime() - start) / 1e6;
        start = System.nanoTime();
        int rows = functions.inTurn(() -> rows(compiled, parameters, texts));
        double queryMillis = (System.nanoTime() - start) / 1e6;
        if (rows != found) {
          throw new BenchFault("The engine found " + found + " items, the query " + rows);
        }
        Progress.say(
            "%s: round %d of %d  query %.0f ms, bare %.0f ms",
            variant, round + 1, rounds, queryMillis, bareMillis);
        if (round >= 0) {
          bare[round] = bareMillis;
          query[round] = queryMillis;
        }
      }
    }
    Arrays.sort(bare);
    Arrays.sort(query);
    return String.format(
        Locale.ROOT,
        "ratio: %.2f (%s) query %.0f ms, bare engine %.0f ms for %,d items",
        query[rounds / 2] / bare[rounds / 2],
        variant,
        query[rounds / 2],
        bare[rounds / 2],
        items);
  }

  private static int rows(CompiledQuery query, Parameters parameters, List<byte[]> texts) {
    ItemRows rows = query.rows(parameters);
    int[] found = {0};
    for (int from = 0; from < texts.size(); from += STRETCH) {
      List<Value> items = new ArrayList<>();
      for (byte[] text : texts.subList(from, Math.min(from + STRETCH, texts.size()))) {
        items.add(RawJson.object(text));
      }
      query.ahead(items, parameters);
      items.forEach(
          item -> {
            var _ = rows.each(item, (row, keys) -> ++found[0] > 0);
          });
    }
    return found[0];
  }

  /** As a partition hands them to the query. */
  private record Called(ScriptFunctions functions) implements Parameters.UserFunctions {
    @Override
    public Value call(String name, List<Value> arguments) {
      return functions.call(name, arguments);
    }

    @Override
    public void ahead(List<Value> items, Consumer<Value> evaluation) {
      functions.ahead(items, evaluation);
    }

    @Override
    public void begin(Value item) {
      functions.begin(item);
    }
  }

  private static Context bareEngine(String function, String call, List<byte[]> texts) {
    Context engine = Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
    var parsed = engine.eval("js", "const items = []; text => { items.push(JSON.parse(text)); }");
    texts.forEach(text -> parsed.executeVoid(new String(text, StandardCharsets.UTF_8)));
    var _ =
        engine.eval(
            "js",
            function
                + "globalThis.filtering = () => { let n = 0; for (const item of items) { if ("
                + call
                + ") n++; } return n; };");
    return engine;
  }
}
