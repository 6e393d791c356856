package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.http.JsonText;
import io.orrery.operation.Body;
import io.orrery.operation.Patch;
import io.orrery.value.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatchDocumentTest {

  private static Patch read(String json) {
    return PatchDocument.read(JsonText.utf8(json));
  }

  private static Patch.Path path(String... segments) {
    return new Patch.Path(List.of(segments));
  }

  @Test
  void everyOperationIsRead() {
    Patch patch =
        read(
            """
            {"operations":[{"op":"add","path":"/a/b/0","value":{"x":1.0}},
              {"op":"set","path":"/a~1b/~0","value":null},{"op":"replace","path":"/a","value":[]},
              {"op":"remove","path":"/a","value":null},{"op":"incr","path":"/n","value":-2.5},
              {"op":"move","path":"/z2","from":"/z"}],
             "condition":"from c where c.n=10"}\
            """);
    assertEquals(
        List.of(
            new Patch.Add(path("a", "b", "0"), Body.json("{\"x\":1}")),
            new Patch.Set(path("a/b", "~"), Body.json("null")),
            new Patch.Replace(path("a"), Body.json("[]")),
            new Patch.Remove(path("a")),
            new Patch.Increment(path("n"), Body.json("-2.5")),
            new Patch.Move(path("z2"), path("z"))),
        patch.steps());
    assertEquals("from c where c.n=10", patch.condition());
  }

  @Test
  void aBareArrayIsAPatchWithoutCondition() {
    var expected = new Patch(List.of(new Patch.Remove(path("a"))), null);
    assertEquals(expected, read("[{\"op\":\"remove\",\"path\":\"/a\"}]"));
  }

  @Test
  void whatIsNoPatchIsRefused() {
    String step = "{\"op\":\"remove\",\"path\":\"/a\"}";
    for (String json :
        List.of(
            "1",
            "{}",
            "[]",
            "{\"operations\":{}}",
            "[1]",
            "[{\"op\":\"remove\"}]",
            "[{\"op\":\"remove\",\"path\":\"a\"}]",
            "[{\"op\":\"remove\",\"path\":\"/\"}]",
            "[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]",
            "[{\"op\":\"set\",\"path\":\"/a\"}]",
            "[{\"op\":\"incr\",\"path\":\"/a\",\"value\":\"1\"}]",
            "[{\"op\":\"move\",\"path\":\"/a\"}]",
            "{\"operations\":[" + step + "],\"condition\":1}",
            "[" + String.join(",", java.util.Collections.nCopies(11, step)) + "]")) {
      assertEquals(
          400, assertThrows(RefusedRequest.class, () -> read(json)).error().status(), json);
    }
  }

  /** Nothing nests deeper, and each name of a path takes many times its text. */
  @Test
  void pathsDeeperThanAnyItemAreRefused() {
    String deepest = "/a".repeat(Json.NESTING_MAX);
    Patch.Path path =
        read("[{\"op\":\"remove\",\"path\":\"" + deepest + "\"}]").steps().getFirst().path();
    assertEquals(Json.NESTING_MAX, path.segments().size());
    for (String step :
        List.of(
            "{\"op\":\"remove\",\"path\":\"" + deepest + "/a\"}",
            "{\"op\":\"move\",\"path\":\"/a\",\"from\":\"" + deepest + "/a\"}")) {
      var refused = assertThrows(RefusedRequest.class, () -> read("[" + step + "]"));
      assertEquals(400, refused.error().status(), step);
    }
  }
}
