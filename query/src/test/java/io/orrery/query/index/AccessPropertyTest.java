package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.query.CompiledQuery;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.function.ValueOrder;
import io.orrery.query.index.MemoryIndex.Mistake;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Json;
import io.orrery.value.KeyValues;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A query has the same rows under every policy, and in the order that the index promises. */
class AccessPropertyTest {
  private static final long TIMESTAMP = 1_000_000;
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), Hashing.HASH_V2);
  private static final List<String> POLICIES =
      List.of(
          "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/\\\"_etag\\\"/?'}]}",
          "{'includedPaths':[{'path':'/*'}],'compositeIndexes':[[{'path':'/a','order':'ascending'},"
              + "{'path':'/n','order':'descending'}],[{'path':'/s','order':'descending'},"
              + "{'path':'/o/a','order':'descending'},{'path':'/n','order':'descending'}],"
              + "[{'path':'/a','order':'descending'},{'path':'/_ts','order':'ascending'}]]}",
          "{'includedPaths':[{'path':'/a/?'},{'path':'/o/*'},{'path':'/tags/[]/?'},"
              + "{'path':'/kids/[]/a/?'}],'excludedPaths':[{'path':'/*'}]}",
          "{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/o/*'},{'path':'/tags/?'},"
              + "{'path':'/kids/*'}],'compositeIndexes':[[{'path':'/o/a','order':'ascending'},"
              + "{'path':'/b','order':'descending'},{'path':'/a','order':'ascending'}]]}",
          "{'indexingMode':'none'}");
  private static final Parameters PARAMETERS =
      Parameters.of(
          Map.of(
              "@one", Value.of(1),
              "@x", Value.of("x"),
              "@object", Json.parse("{\"a\":1}"),
              "@long", Value.of(RandomItems.LONG),
              "@longer", Value.of(RandomItems.LONG + "1"),
              "@name", Value.of("a"),
              "@position", Value.of(1)));

  /** What was found while comparing. */
  private static final class Tally {
    int compared;
    int served;
    int ordered;
    @Nullable String difference;
  }

  @Test
  void rowsAreTheSameUnderEveryPolicy() {
    long seed = System.nanoTime();
    Tally tally = compare(seed, Mistake.NONE, 300);
    assertNull(tally.difference, () -> "seed " + seed + ": " + tally.difference);
    assertTrue(tally.compared > 5_000, "compared " + tally.compared);
    assertTrue(tally.served > tally.compared / 4, "served by the index " + tally.served);
    assertTrue(tally.ordered > tally.compared / 20, "in order " + tally.ordered);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aMistakeInReadingIsFound(Mistake mistake) {
    assertNotNull(compare(20261115, mistake, 400).difference);
  }

  private static Tally compare(long seed, Mistake mistake, int rounds) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(random);
    Tally tally = new Tally();
    for (int round = 0; round < rounds && tally.difference == null; round++) {
      List<Value.Obj> contents = new RandomItems(random).contents(30);
      List<Value> items = new ArrayList<>();
      for (int i = 0; i < contents.size(); i++) {
        items.add(seen(contents.get(i), TIMESTAMP + i));
      }
      IndexPolicy policy = policy(POLICIES.get(random.nextInt(POLICIES.size())));
      MemoryIndex index = new MemoryIndex(contents, TIMESTAMP, policy, mistake);
      for (int i = 0; i < 25 && tally.difference == null; i++) {
        compare(queries.next(), items, index, policy, tally);
      }
    }
    return tally;
  }

  private static void compare(
      RandomQueries.Case next,
      List<Value> items,
      MemoryIndex index,
      IndexPolicy policy,
      Tally tally) {
    CompiledQuery query = Queries.compile(next.text());
    AccessPlan plan;
    try {
      plan = AccessPlan.of(query, PARAMETERS, policy);
    } catch (QueryRefused e) {
      assertTrue(next.order().size() > 1, next.text());
      return;
    }
    List<Value> expected = query.run(items, PARAMETERS);
    BitSet candidates = index.items(plan.access());
    List<Value> found = candidates.stream().mapToObj(items::get).toList();
    String about =
        next.text() + " under " + new String(Json.write(policy.json()), StandardCharsets.UTF_8);
    if (!query.run(found, PARAMETERS).equals(expected)) {
      tally.difference = about + " by " + plan.access();
      return;
    }
    tally.compared++;
    tally.served += candidates.cardinality() < items.size() ? 1 : 0;
    assertEquals(next.order().isEmpty(), plan.order() == null && !plan.sorts(), about);
    OrderedScan scan = plan.order();
    if (scan != null) {
      tally.ordered++;
      List<Integer> scanned = index.items(scan);
      List<Value> inOrder = scanned.stream().map(items::get).toList();
      if (!isOnce(scanned)
          || !query.run(inOrder.stream().sorted(byTime()).toList(), PARAMETERS).equals(expected)
          || !isInOrder(inOrder, next.order())) {
        tally.difference = about + " in the order of " + scan;
      }
    }
  }

  private static Comparator<Value> byTime() {
    return (a, b) -> ValueOrder.ORDER.compare(at(a, "c._ts"), at(b, "c._ts"));
  }

  private static boolean isOnce(List<Integer> scanned) {
    return new HashSet<>(scanned).size() == scanned.size();
  }

  /** Only items that share a term may have to change places. */
  private static boolean isInOrder(List<Value> items, List<String> order) {
    List<Value> sorted = items.stream().sorted((a, b) -> compare(a, b, order)).toList();
    for (int i = 0; i < items.size(); i++) {
      if (!Arrays.equals(term(items.get(i), order), term(sorted.get(i), order))) {
        return false;
      }
    }
    return true;
  }

  private static int compare(Value left, Value right, List<String> order) {
    for (String key : order) {
      boolean down = key.startsWith("-");
      String path = down ? key.substring(1) : key;
      int by = ValueOrder.ORDER.compare(at(left, path), at(right, path));
      if (by != 0) {
        return down ? -by : by;
      }
    }
    return 0;
  }

  private static byte[] term(Value item, List<String> order) {
    var writer = new TermWriter();
    for (String key : order) {
      writer.value(at(item, key.startsWith("-") ? key.substring(1) : key));
    }
    return writer.done();
  }

  private static Value at(Value item, String path) {
    return KeyValues.at((Value.Obj) item, List.of(path.substring(2).split("\\.")));
  }

  private static Value seen(Value.Obj content, long timestamp) {
    Map<String, Value> members = new LinkedHashMap<>(content.members());
    members.put("_ts", Value.of(timestamp));
    members.put("_etag", Value.of("x"));
    return new Value.Obj(members);
  }

  private static IndexPolicy policy(String json) {
    return IndexPolicy.of((Value.Obj) Json.parse(json.replace('\'', '"')), KEY);
  }
}
