package io.orrery.query.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ItemTermsTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), Hashing.HASH_V2);
  private static final String ALL = "{\"includedPaths\":[{\"path\":\"/*\"}]}";

  @Test
  void scalarsArraysAndObjectsHaveTerms() {
    ItemTerms terms =
        terms("{\"id\":\"1\",\"o\":{\"a\":1},\"tags\":[\"x\",{\"b\":null},\"x\"]}", ALL);
    var expected = new TreeSet<byte[]>(Arrays::compareUnsigned);
    expected.add(TermEncoding.term(IndexPath.of("_ts"), Value.of(7)));
    expected.add(TermEncoding.term(IndexPath.of("id"), Value.of("1")));
    expected.add(TermEncoding.term(IndexPath.of("o"), Json.parse("{}")));
    expected.add(TermEncoding.term(IndexPath.of("o", "a"), Value.of(1)));
    expected.add(TermEncoding.term(IndexPath.of("tags"), Json.parse("[]")));
    expected.add(TermEncoding.term(IndexPath.of("tags", "[]"), Value.of("x")));
    expected.add(TermEncoding.term(IndexPath.of("tags", "[]"), Json.parse("{}")));
    expected.add(TermEncoding.term(IndexPath.of("tags", "[]", "b"), Value.NULL));
    assertArrayEquals(expected.toArray(), terms.terms().toArray());
    assertEquals(
        LongStream.of(
                IndexPath.of("_ts").hash(),
                IndexPath.of("id").hash(),
                IndexPath.of("o").hash(),
                IndexPath.of("o", "a").hash(),
                IndexPath.of("tags").hash())
            .sorted()
            .boxed()
            .toList(),
        LongStream.of(terms.countedPaths()).sorted().boxed().toList());
    assertFalse(terms.overflow());
  }

  @Test
  void withoutAnIndexOnlyTheImplicitPathsHaveTerms() {
    ItemTerms terms =
        terms("{\"id\":\"1\",\"pk\":2,\"a\":3,\"_ts\":5}", "{\"indexingMode\":\"none\"}");
    assertEquals(3, terms.terms().size());
    assertEquals(3, terms.countedPaths().length);
  }

  @Test
  void aCompositeTermEndsWithAValueThatIsNotExact() {
    String policy =
        "{\"includedPaths\":[],\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"descending\"},"
            + "{\"path\":\"/b\",\"order\":\"ascending\"}]]}";
    CompositeIndex index = IndexPolicy.of((Value.Obj) Json.parse(policy), KEY).composites().get(0);
    byte[] hash = TermEncoding.prefix(index);
    byte[] exact = new TermWriter().raw(hash).raw(new byte[] {~0x20, 0x10}).done();
    byte[] ended = new TermWriter().raw(hash).raw(new byte[] {~0x70, ~0}).done();
    assertTrue(has(terms("{\"a\":null}", policy), exact));
    assertTrue(has(terms("{\"a\":[],\"b\":1}", policy), ended));
  }

  @Test
  void tooManyTermsAreMarked() {
    var json = new StringBuilder("{\"id\":\"1\",\"a\":[0");
    for (int i = 1; i < 11_000; i++) {
      json.append(',').append(i);
    }
    ItemTerms terms = terms(json.append("],\"z\":1}").toString(), ALL);
    assertTrue(terms.overflow());
    assertEquals(ItemTerms.TERMS_MAX + 1, terms.terms().size());
    assertArrayEquals(ItemTerms.overflowTerm(), terms.terms().getFirst());
    assertEquals(4, terms.countedPaths().length, "those outside the array are all kept");
    assertTrue(has(terms, TermEncoding.term(IndexPath.of("z"), Value.of(1))));
  }

  private static boolean has(ItemTerms terms, byte[] term) {
    return terms.terms().stream().anyMatch(other -> Arrays.equals(other, term));
  }

  private static ItemTerms terms(String json, String policy) {
    return ItemTerms.of(
        (Value.Obj) Json.parse(json), 7, IndexPolicy.of((Value.Obj) Json.parse(policy), KEY));
  }
}
