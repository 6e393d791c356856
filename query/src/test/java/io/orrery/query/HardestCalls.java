package io.orrery.query;

import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Calls that take longest where arguments have to fit each other, by what they are of. */
final class HardestCalls {
  private static final int CHARACTERS = 1 << 20;
  private static final int CORNERS = 4_000;

  private HardestCalls() {}

  /** An item of which the calls speak, and those of {@link LargeCalls}. */
  static Value.Obj item() {
    LimitsTest.Limit hard =
        LimitsTest.limit(
            "hard",
            "",
            "half",
            LimitsTest.text("a", CHARACTERS / 2).replaceFirst(".$", "b\""),
            "words",
            LimitsTest.text("a ", CHARACTERS / 2),
            "digits",
            LimitsTest.text("7", CHARACTERS),
            "json",
            "\"[" + "[],".repeat(CHARACTERS / 3) + "[]]\"",
            "colliding",
            LimitsTest.collisions(14),
            "shuffled",
            shuffled(),
            "objects",
            "[" + "{\"a\":1},".repeat(CHARACTERS / 8) + "0]",
            "others",
            "[" + "{\"a\":1},".repeat(CHARACTERS / 8) + "1]",
            "round",
            LimitsTest.polygon(CORNERS, 10),
            "wider",
            LimitsTest.polygon(CORNERS, 11));
    var members = new TreeMap<>(LargeCalls.item(CHARACTERS).members());
    members.putAll(hard.item());
    return new Value.Obj(members);
  }

  private static String shuffled() {
    return IntStream.range(0, CHARACTERS / 8)
        .mapToObj(i -> Integer.toString(i * 7_919 % (CHARACTERS / 8)))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** By the name of a function, or by what else is measured. */
  static Map<String, List<String>> byName() {
    var all = new TreeMap<String, List<String>>();
    putProducts(all);
    putTexts(all);
    putConversions(all);
    putArrays(all);
    for (String name : List.of("ST_AREA", "ST_ISVALID", "ST_ISVALIDDETAILED")) {
      all.put(name, List.of(name + "(c.round)"));
    }
    for (String name : List.of("ST_DISTANCE", "ST_WITHIN", "ST_INTERSECTS")) {
      all.put(name, List.of(name + "(c.round, c.wider)"));
    }
    return all;
  }

  /** What costs the product of two lengths, with a hundred of the shorter one. */
  private static void putProducts(Map<String, List<String>> all) {
    String sets = "REPLACE(LEFT(c.half, 100), 'a', '[ac-ex-z]')";
    all.put("LIKE", List.of("c.text LIKE CONCAT('%', LEFT(c.half, 100), 'b')"));
    all.put("LIKE with a set", List.of("c.text LIKE CONCAT('%', " + sets + ", 'b')"));
    for (String name : List.of("FULLTEXTCONTAINS", "FULLTEXTCONTAINSALL", "FULLTEXTCONTAINSANY")) {
      all.put(name, List.of(name + "(c.words, CONCAT(LEFT(c.words, 200), 'b'))"));
    }
    all.put("_FULLTEXTSCORE", List.of("_FULLTEXTSCORE(c.words, [LEFT(c.words, 200)], 9, 9, [1])"));
    String hundred = LimitsTest.numbers(100).replaceAll("[\\[\\]]", "");
    for (String name : List.of("ARRAY_CONTAINS_ALL", "ARRAY_CONTAINS_ANY")) {
      all.put(name, List.of(name + "(c.texts, " + hundred + ")"));
    }
  }

  private static void putTexts(Map<String, List<String>> all) {
    for (String name : List.of("CONTAINS", "INDEX_OF", "LASTINDEXOF", "STRINGSPLIT", "TRIM")) {
      all.put(name, List.of(name + "(c.text, c.half)"));
    }
    all.put("REGEXMATCH", List.of("REGEXMATCH(c.text, '(a*)*b')", "REGEXMATCH(c.text, c.half)"));
    all.put("REPLACE", List.of("REPLACE(c.text, c.half, 'x')", "REPLACE(c.text, 'a', 'bb')"));
    all.put("REPLICATE", List.of("REPLICATE('a', 10000)", "REPLICATE(LEFT(c.text, 1600), 10000)"));
    for (String name : List.of("LEFT", "RIGHT")) {
      all.put(name, List.of(name + "(c.sharp, 1000000)"));
    }
    all.put("SUBSTRING", List.of("SUBSTRING(c.sharp, 1, 1000000)"));
    all.put("STRINGJOIN", List.of("STRINGJOIN(STRINGSPLIT(c.text, 'a'), 'aaaaaaaaaaaaaa')"));
    String date = "DATETIMEFORMAT('2024-02-29T23:59:59.9999999Z', ";
    all.put(
        "DATETIMEFORMAT",
        List.of(
            date + "c.words)",
            date + "REPLICATE('yyyyMMddHHmmssfffffff', 10000))",
            date + "REPLICATE('d', 10000))"));
  }

  private static void putConversions(Map<String, List<String>> all) {
    all.put("STRINGTOARRAY", List.of("STRINGTOARRAY(c.json)"));
    all.put("STRINGTOOBJECT", List.of("STRINGTOOBJECT(CONCAT('{\"a\":', c.json, '}'))"));
    all.put("STRINGTONUMBER", List.of("STRINGTONUMBER(c.digits)"));
    all.put("TOSTRING", List.of("TOSTRING(STRINGSPLIT(c.text, 'a'))"));
    all.put("_FULLTEXTWORDCOUNT", List.of("_FULLTEXTWORDCOUNT(c.words)"));
  }

  private static void putArrays(Map<String, List<String>> all) {
    for (String name : List.of("SETUNION", "SETINTERSECT", "SETDIFFERENCE", "SETEQUAL")) {
      all.put(name, List.of(name + "(c.colliding, c.colliding)"));
    }
    all.put("ARRAY_SLICE", List.of("ARRAY_SLICE(c.numbers, 1)"));
    all.put("ARRAY_MEDIAN", List.of("ARRAY_MEDIAN(c.shuffled)"));
    all.put("ARRAY_CONTAINS", List.of("ARRAY_CONTAINS(c.objects, {\"b\":1}, true)"));
    all.put("equality", List.of("c.objects = c.others"));
    all.put("CHOOSE", List.of("CHOOSE(2, c.numbers, c.texts)"));
    all.put("IIF", List.of("IIF(true, c.object, c.texts)"));
    all.put("members", List.of("c.z", "c.object[\"131071\"]", "c.object.z"));
  }
}
