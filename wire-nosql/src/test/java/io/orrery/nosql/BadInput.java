package io.orrery.nosql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Makes bodies and headers that nobody should send. */
record BadInput(Random random) {
  private static final List<String> HEADERS =
      List.of(
          "x-ms-documentdb-partitionkey",
          "x-ms-documentdb-partitionkeyrangeid",
          "x-ms-continuation",
          "x-ms-max-item-count",
          "x-ms-consistency-level",
          "x-ms-offer-throughput",
          "x-ms-cosmos-offer-autopilot-settings",
          "x-ms-cosmos-intended-collection-rid",
          "x-ms-session-token",
          "x-ms-start-epk",
          "x-ms-end-epk",
          "x-ms-activity-id",
          "if-match",
          "if-none-match",
          "prefer",
          "content-type",
          "content-encoding",
          "x-ms-documentdb-is-upsert",
          "x-ms-documentdb-isquery");
  private static final List<String> VALUES =
      List.of(
          "",
          "*",
          "[",
          "[]",
          "[[]]",
          "[{}]",
          "[{\"a\":1}]",
          "[null,null,null,null]",
          "\"",
          "-1",
          "0",
          "-2147483649",
          "99999999999999999999",
          "1e400",
          "NaN",
          "true",
          "{",
          "{}",
          "{\"maxThroughput\":-1}",
          "{\"maxThroughput\":1e30}",
          "AAAA,0",
          "%00%ff",
          "application/sql",
          "application/query+json",
          "\u00ff\u00fe",
          "[\"\\ud800\"]",
          "[\"\u00e9\"]",
          "0:-1#x",
          "gzip");
  private static final List<String> BODIES =
      List.of(
          "",
          " ",
          "{",
          "}",
          "[",
          "null",
          "1",
          "\"x\"",
          "[]",
          "{}",
          "{\"id\":}",
          "{\"id\":null}",
          "{\"id\":1}",
          "{\"id\":\"\"}",
          "{\"id\":\"a/b\"}",
          "{\"id\":\"a\",\"id\":\"b\"}",
          "{\"id\":\"a\"}x",
          "{'id':'a'}",
          "{\"id\":\"\\ud800\"}",
          "{\"id\":\"a\",\"n\":1e999}",
          "{\"id\":\"a\",\"n\":NaN}",
          "{\"id\":\"a\",\"n\":01}",
          "{\"id\":\"a\",\"pk\":{}}",
          "{\"id\":\"a\",\"pk\":[1]}",
          "\u0000\u0000",
          "\u00ff\u00fe{}",
          "\u00ef\u00bb\u00bf{}",
          "{\"id\":\"\u00ff\"}",
          "{\"id\":\"a\",\"ttl\":\"x\"}",
          "{\"id\":\"a\",\"partitionKey\":1}",
          "{\"id\":\"a\",\"partitionKey\":{\"paths\":[\"pk\"]}}",
          "{\"id\":\"a\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\",\"/c\",\"/d\"]}}",
          "{\"id\":\"a\",\"partitionKey\":{\"paths\":[\"/a\"],\"version\":9}}",
          "{\"id\":\"a\",\"indexingPolicy\":[]}",
          "{\"id\":\"a\",\"content\":{}}",
          "{\"id\":\"a\",\"content\":{\"offerThroughput\":\"x\"}}",
          "{\"query\":1}",
          "{\"query\":\"\"}",
          "{\"query\":\"SELECT\"}",
          "{\"query\":\"SELECT * FROM c WHERE\",\"parameters\":{}}",
          "{\"query\":\"SELECT @a\",\"parameters\":[{}]}",
          "{\"operations\":1}",
          "{\"operations\":[{\"op\":\"add\"}]}",
          "{\"operations\":[{\"op\":\"add\",\"path\":\"/_ts\",\"value\":1}]}",
          "{\"operations\":[{\"op\":\"set\",\"path\":\"/a/b/c\",\"value\":1}],\"condition\":\"from\"}",
          "[{\"op\":\"incr\",\"path\":\"/id\",\"value\":1}]");

  String header() {
    String value = random.nextInt(4) == 0 ? noise(1 + random.nextInt(40)) : pick(VALUES);
    return pick(HEADERS) + ": " + value + "\r\n";
  }

  byte[] body() {
    return switch (random.nextInt(8)) {
      case 0 -> ("[".repeat(200) + "]".repeat(200)).getBytes(StandardCharsets.ISO_8859_1);
      case 1 ->
          ("{\"id\":\"a\",\"a\":".repeat(150) + "1" + "}".repeat(150))
              .getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> randomBytes(random.nextInt(2_000));
      case 3 -> cut(pick(BODIES)).getBytes(StandardCharsets.ISO_8859_1);
      default -> pick(BODIES).getBytes(StandardCharsets.ISO_8859_1);
    };
  }

  /** A name as it may stand in a path. */
  String name() {
    return switch (random.nextInt(5)) {
      case 0 -> "AAAAAA%3D%3D";
      case 1 -> "%E5%8F%B0%20%2F%3F%23";
      case 2 -> "x".repeat(1 + random.nextInt(2_000));
      case 3 -> "%" + Integer.toHexString(0x100 | random.nextInt(0x100)).substring(1);
      default -> "a";
    };
  }

  private String cut(String text) {
    return text.substring(0, random.nextInt(text.length() + 1));
  }

  private String noise(int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) (0x20 + random.nextInt(0xE0)));
    }
    return text.toString().strip();
  }

  private byte[] randomBytes(int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
