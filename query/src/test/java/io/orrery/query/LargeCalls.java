package io.orrery.query;

import io.orrery.query.function.Function;
import io.orrery.query.function.Functions;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Calls of every function, with large values of every kind in every place. */
final class LargeCalls {
  private static final int ARGUMENTS_MAX = 3;

  /** What stands in the first two places, and in the third. */
  private static final List<String> LARGE_ONES =
      List.of("c.text", "c.sharp", "c.numbers", "c.texts", "c.object", "c.shape");

  private static final List<String> LAST_ONES = List.of("true", "2", "c.text");

  private LargeCalls() {}

  /**
   * An item of which the calls speak.
   *
   * @param characters in each text; arrays and the object have an eighth as many members
   */
  static Value.Obj item(int characters) {
    String texts = "[" + "\"aa\",\"ab\",".repeat(characters / 16) + "\"b\"]";
    String object =
        IntStream.range(0, characters / 8)
            .mapToObj(i -> "\"" + i + "\":0,")
            .collect(Collectors.joining());
    String ring = "[0,0],[10,0]," + "[10,10],[0.1,10],".repeat(2_000) + "[0,10],[0,0]";
    String json =
        "{\"id\":\"1\",\"text\":\"%s\",\"sharp\":\"%s\",\"numbers\":%s,\"texts\":%s"
                .formatted(
                    "a".repeat(characters),
                    "\u00DF".repeat(characters),
                    LimitsTest.numbers(characters / 8),
                    texts)
            + ",\"object\":{%s\"z\":0}".formatted(object)
            + ",\"shape\":{\"type\":\"Polygon\",\"coordinates\":[[%s]]}}".formatted(ring);
    return (Value.Obj) RawJson.of(json.getBytes(StandardCharsets.UTF_8));
  }

  static List<String> of(String name) {
    Function function = Functions.named(name);
    int least = function == null ? 0 : function.least();
    int most = function == null ? 0 : Math.min(function.most(), Math.max(least, ARGUMENTS_MAX));
    var calls = new ArrayList<String>();
    for (int count = least; count <= most; count++) {
      List<List<String>> all = List.of(List.of());
      for (int place = 0; place < count; place++) {
        all = with(all, place);
      }
      all.forEach(arguments -> calls.add(name + "(" + String.join(", ", arguments) + ")"));
    }
    return calls;
  }

  private static List<List<String>> with(List<List<String>> before, int place) {
    List<String> more = place < 2 ? LARGE_ONES : place == 2 ? LAST_ONES : List.of("2");
    return before.stream()
        .flatMap(
            arguments ->
                more.stream()
                    .map(one -> Stream.concat(arguments.stream(), Stream.of(one)).toList()))
        .toList();
  }
}
