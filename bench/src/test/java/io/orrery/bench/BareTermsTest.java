package io.orrery.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

class BareTermsTest {
  private final Documents documents = Documents.ofOneKilobyte();

  /** Ten properties of the item, three of its address, two tags, and the time; id and key apart. */
  @Test
  void everyPropertyHasATerm() {
    var terms = new BareTerms(documents, true);
    assertEquals(14, terms.fixed(0).size());
    assertEquals(
        Set.of(
            "id", "pk", "_ts", "number", "status", "price", "express", "created", "tags", "address",
            "street", "city", "zip", "note"),
        terms.paths());
    int bytes = terms.fixed(0).stream().mapToInt(term -> term.length).sum();
    int texts = "shipped".length() + "2026-05-04T10:11:12Z".length() + 2 * 8 + 20 + 12;
    int note = documents.bodyBytes() - textBefore();
    assertEquals(14 * 9 + 4 * 8 + 7 * 2 + 2 + texts + note, bytes);
  }

  @Test
  void onlyTheTimeIsLeftWithoutAPolicy() {
    var terms = new BareTerms(documents, false);
    assertEquals(1, terms.fixed(300).size());
    assertEquals(Set.of("id", "pk", "_ts"), terms.paths());
  }

  private int textBefore() {
    String body = new String(documents.body(0), java.nio.charset.StandardCharsets.US_ASCII);
    return body.indexOf("\"note\":\"") + "\"note\":\"".length() + 2;
  }
}
