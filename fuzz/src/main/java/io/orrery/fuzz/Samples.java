package io.orrery.fuzz;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import java.util.stream.Stream;

/** Items of every kind of value, small enough to run any query over. */
final class Samples {
  static final long TIMESTAMP = 1_700_000_000;

  private Samples() {}

  /** Their {@code _ts} is a member, as far as queries can tell. */
  static List<Value> items() {
    return Stream.of(
            "{\"id\":\"1\",\"pk\":\"a\",\"n\":1,\"s\":\"a\",\"t\":[1,2,3],\"o\":{\"x\":1}}",
            "{\"id\":\"2\",\"pk\":\"a\",\"n\":2,\"s\":\"b\",\"t\":[\"a\",\"b\"],\"o\":{\"x\":2}}",
            "{\"id\":\"3\",\"pk\":\"b\",\"n\":2.5,\"s\":\"B\",\"t\":[],\"b\":true}",
            "{\"id\":\"4\",\"pk\":\"b\",\"n\":-0.0,\"s\":\"\",\"b\":false,\"o\":{}}",
            "{\"id\":\"5\",\"pk\":null,\"n\":null,\"s\":null,\"b\":null,\"t\":null}",
            "{\"id\":\"6\",\"pk\":6,\"n\":9007199254740993,\"s\":\"\u00e9\uD83D\uDE00\"}",
            "{\"id\":\"7\",\"pk\":true,\"n\":1e300,\"s\":\"\u0130\u00df%_\\\\\",\"hidden\":1}",
            "{\"id\":\"8\",\"n\":\"1\",\"s\":1,\"t\":[[1],[{\"x\":1}],{\"x\":[2]}],\"hidden\":2}",
            "{\"id\":\"9\",\"pk\":\"a\",\"n\":[1],\"s\":{\"a\":1},\"o\":[{\"x\":1},{\"x\":null}],"
                + "\"g\":{\"type\":\"Point\",\"coordinates\":[31.9,-4.8]},\"v\":[0.1,0.2,0.3],"
                + "\"d\":\"2020-02-29T12:00:00.1234567Z\",\"hidden\":{\"x\":3}}")
        .map(text -> text.substring(0, text.length() - 1) + ",\"_ts\":" + TIMESTAMP + "}")
        .map(Json::parse)
        .toList();
  }
}
