package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexPolicyTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("tenant", "name")), Hashing.HASH_V2);
  private static final Value.Obj ITEM =
      object(
          """
          {"id":"1","a":{"b":1,"c":{"d":2}},"tags":["x","y"],"big data":null}\
          """);

  @Test
  void everyScalarIsATermByDefault() {
    assertEquals(6, terms("['/*']", "['/\\\"_etag\\\"/?']"));
  }

  @Test
  void theLongerPatternDecides() {
    assertEquals(4, terms("['/*']", "['/a/*']"));
    assertEquals(5, terms("['/*','/a/c/*']", "['/a/*']"));
    assertEquals(1, terms("['/a/b/?']", "['/*']"));
    assertEquals(2, terms("['/tags/[]/?']", "['/*']"));
    assertEquals(1, terms("['/\\\"big data\\\"/?']", "['/*']"));
    assertEquals(0, terms("[]", "['/*']"));
  }

  @Test
  void anExactPatternBeatsASubtree() {
    assertEquals(5, terms("['/*']", "['/a/b/?']"));
    assertEquals(1, terms("['/a/b/?']", "['/*','/a/b/*']"));
  }

  @Test
  void nothingIsPaidForWithoutAnIndex() {
    assertEquals(0, IndexPolicy.none(KEY).terms(ITEM));
    assertEquals(0, IndexPolicy.none(KEY).changedTerms(ITEM, object("{}")));
  }

  @Test
  void onlyTermsThatDifferAreChanged() {
    IndexPolicy policy = policy("['/*']", "[]");
    Value.Obj changed =
        object(
            """
            {"id":"1","a":{"b":7,"c":{"d":2}},"tags":["x"],"big data":null}\
            """);
    assertEquals(3, policy.changedTerms(ITEM, changed));
    assertEquals(0, policy.changedTerms(ITEM, ITEM));
  }

  @Test
  void idTimeAndPartitionKeyAreAlwaysIndexed() {
    for (IndexPolicy policy : List.of(policy("[]", "['/*']"), IndexPolicy.none(KEY))) {
      assertTrue(policy.covers(IndexPath.of("id")));
      assertTrue(policy.covers(IndexPath.of("_ts")));
      assertTrue(policy.covers(IndexPath.of("tenant", "name")));
      assertFalse(policy.covers(IndexPath.of("tenant")));
      assertFalse(policy.covers(IndexPath.of("a")));
    }
  }

  @Test
  void whatTheServiceAddsIsNotCovered() {
    IndexPolicy policy = policy("['/*']", "[]");
    assertFalse(policy.covers(IndexPath.of("_rid")));
    assertFalse(policy.covers(IndexPath.of("_etag")));
    assertFalse(policy.covers(IndexPath.of()));
    assertTrue(policy.covers(IndexPath.of("_mine", "[]")));
  }

  @Test
  void aTupleIncludesEachOfItsPaths() {
    IndexPolicy policy = policy("['/tags/[]/{category, size/width}/?']", "['/*']");
    assertTrue(policy.covers(IndexPath.of("tags", "[]", "category")));
    assertTrue(policy.covers(IndexPath.of("tags", "[]", "size", "width")));
    assertFalse(policy.covers(IndexPath.of("tags", "[]", "size")));
  }

  @Test
  void policiesShareWhatBothHave() {
    UsableIndexes both = policy("['/a/*']", "['/*']").and(policy("['/*']", "['/a/b/?']"));
    assertTrue(both.covers(IndexPath.of("a", "c")));
    assertFalse(both.covers(IndexPath.of("a", "b")));
    assertFalse(both.covers(IndexPath.of("d")));
    assertFalse(policy("['/*']", "[]").and(UsableIndexes.nothing()).covers(IndexPath.of("id")));
  }

  @Test
  void policiesAreEqualByContent() {
    assertEquals(policy("['/*']", "[]"), policy("['/*']", "[]"));
    assertNotEquals(policy("['/*']", "[]"), policy("['/*']", "['/a/?']"));
    assertNotEquals(
        policy("['/*']", "[]"),
        IndexPolicy.of(policy("['/*']", "[]").json(), PartitionKeyDefinition.NONE));
  }

  @Test
  void pathsAreWrittenAsPoliciesWriteThem() {
    assertEquals("/a/[]/b_1", IndexPath.of("a", "[]", "b_1").toString());
    assertEquals("/\"big \\\"data\"", IndexPath.of("big \"data").toString());
    assertEquals(IndexPath.of("big \"data", "x"), IndexPath.parse("/\"big \\\"data\"/x"));
  }

  private static int terms(String included, String excluded) {
    return policy(included, excluded).terms(ITEM);
  }

  private static IndexPolicy policy(String included, String excluded) {
    String json =
        "{'indexingMode':'consistent','automatic':true,'includedPaths':"
            + paths(included)
            + ",'excludedPaths':"
            + paths(excluded)
            + "}";
    return IndexPolicy.of(object(json.replace('\'', '"')), KEY);
  }

  private static String paths(String list) {
    return list.replaceAll("'([^']*)'", "{'path':'$1'}");
  }

  private static Value.Obj object(String json) {
    return (Value.Obj) Json.parse(json);
  }
}
