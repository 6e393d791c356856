package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.Body;
import io.orrery.operation.Patch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatchesTest {
  private static final String ITEM = "{\"a\":{\"b\":1},\"list\":[1,2,3],\"n\":5}";

  @Test
  void addSetsMembersAndInsertsElements() {
    assertPatched("{\"a\":{\"b\":2},\"list\":[1,2,3],\"n\":5}", add("/a/b", "2"));
    assertPatched("{\"a\":{\"b\":1},\"list\":[1,9,2,3],\"n\":5}", add("/list/1", "9"));
    assertPatched("{\"a\":{\"b\":1},\"list\":[1,2,3,9],\"n\":5}", add("/list/-", "9"));
    assertPatched("{\"a\":{\"b\":1},\"list\":[1,2,3,9],\"n\":5}", add("/list/3", "9"));
    assertRefused(add("/list/4", "9"));
    assertRefused(add("/missing/x", "9"));
    assertRefused(add("/n/x", "9"));
    assertRefused(add("", "9"));
  }

  @Test
  void setReplacesElements() {
    assertPatched(
        "{\"a\":{\"b\":1},\"list\":[1,9,3],\"n\":5}",
        new Patch.Set(path("/list/1"), Body.json("9")));
  }

  @Test
  void replaceAndRemoveNeedWhatTheyName() {
    assertPatched(
        "{\"a\":null,\"list\":[1,2,3],\"n\":5}", new Patch.Replace(path("/a"), Body.json("null")));
    assertRefused(new Patch.Replace(path("/x"), Body.json("1")));
    assertPatched("{\"a\":{\"b\":1},\"list\":[2,3],\"n\":5}", new Patch.Remove(path("/list/0")));
    assertRefused(new Patch.Remove(path("/x")));
    assertRefused(new Patch.Remove(path("/list/3")));
    assertRefused(new Patch.Remove(path("/list/-1")));
  }

  @Test
  void incrementAddsOrCreates() {
    assertPatched(
        "{\"a\":{\"b\":1},\"list\":[1,2,3],\"n\":4}",
        new Patch.Increment(path("/n"), Body.json("-1")));
    assertPatched(
        "{\"a\":{\"b\":1},\"list\":[1,2,3],\"n\":5,\"m\":1.5}",
        new Patch.Increment(path("/m"), Body.json("1.5")));
    assertRefused(new Patch.Increment(path("/a"), Body.json("1")));
    assertRefused(new Patch.Increment(path("/n"), Body.json("\"1\"")));
  }

  @Test
  void integersStayExactWhenIncremented() {
    assertEquals(
        Json.parse("{\"n\":9007199254740995}"),
        Patches.apply(
            (Value.Obj) Json.parse("{\"n\":9007199254740993}"),
            patch(new Patch.Increment(path("/n"), Body.json("2")))));
  }

  @Test
  void moveTakesTheValueAlong() {
    assertPatched(
        "{\"a\":{},\"list\":[1,2,3],\"n\":5,\"c\":1}", new Patch.Move(path("/c"), path("/a/b")));
    assertRefused(new Patch.Move(path("/a/b/c"), path("/a")));
    assertRefused(new Patch.Move(path("/c"), path("/x")));
  }

  private static Patch.Step add(String path, String value) {
    return new Patch.Add(path(path), Body.json(value));
  }

  private static Patch.Path path(String text) {
    List<String> parts = List.of(text.split("/"));
    return new Patch.Path(parts.subList(1, Math.max(1, parts.size())));
  }

  private static Patch patch(Patch.Step step) {
    return new Patch(List.of(step), null);
  }

  private static void assertPatched(String expected, Patch.Step step) {
    Value.Obj result = Patches.apply((Value.Obj) Json.parse(ITEM), patch(step));
    assertEquals(expected, new String(Json.write(result), StandardCharsets.UTF_8));
  }

  private static void assertRefused(Patch.Step step) {
    var item = (Value.Obj) Json.parse(ITEM);
    assertThrows(MalformedBody.class, () -> Patches.apply(item, patch(step)));
  }
}
