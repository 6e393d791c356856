package io.orrery.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexedPathsTest {
  private static final Value.Obj ITEM =
      object(
          "{\"id\":\"1\",\"a\":{\"b\":1,\"c\":{\"d\":2}},\"tags\":[\"x\",\"y\"],\"big"
              + " data\":null}");

  @Test
  void everyScalarIsATermByDefault() {
    assertEquals(6, terms(List.of("/*"), List.of("/\"_etag\"/?")));
  }

  @Test
  void theLongerPatternDecides() {
    assertEquals(4, terms(List.of("/*"), List.of("/a/*")));
    assertEquals(5, terms(List.of("/*", "/a/c/*"), List.of("/a/*")));
    assertEquals(1, terms(List.of("/a/b/?"), List.of("/*")));
    assertEquals(2, terms(List.of("/tags/[]/?"), List.of("/*")));
    assertEquals(1, terms(List.of("/\"big data\"/?"), List.of("/*")));
    assertEquals(0, terms(List.of(), List.of("/*")));
  }

  @Test
  void anExactPatternBeatsASubtree() {
    assertEquals(5, terms(List.of("/*"), List.of("/a/b/?")));
    assertEquals(1, terms(List.of("/a/b/?"), List.of("/*", "/a/b/*")));
  }

  @Test
  void nothingIsIndexedWithoutAnIndex() {
    assertEquals(0, IndexedPaths.of(false, List.of("/*"), List.of()).terms(ITEM));
  }

  @Test
  void onlyTermsThatDifferAreChanged() {
    var paths = IndexedPaths.of(true, List.of("/*"), List.of());
    Value.Obj changed =
        object("{\"id\":\"1\",\"a\":{\"b\":7,\"c\":{\"d\":2}},\"tags\":[\"x\"],\"big data\":null}");
    assertEquals(3, paths.changedTerms(ITEM, changed));
    assertEquals(0, paths.changedTerms(ITEM, ITEM));
  }

  private static int terms(List<String> included, List<String> excluded) {
    return IndexedPaths.of(true, included, excluded).terms(ITEM);
  }

  private static Value.Obj object(String json) {
    return (Value.Obj) Json.parse(json);
  }
}
