package io.orrery.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DocumentsTest {
  @Test
  void itemsOfOneKilobyteAreAsLongAsTheyAreCalled() {
    var documents = Documents.ofOneKilobyte();
    assertEquals(1_024, documents.bodyBytes());
    assertEquals(1_024, documents.body(123_456_789).length);
  }

  @Test
  void aBodyCarriesItsIdAndItsKey() {
    var documents = Documents.ofOneKilobyte();
    String body = new String(documents.body(120_042), StandardCharsets.US_ASCII);
    assertEquals("item-000000120042", Documents.id(120_042));
    assertEquals("customer-00000042", documents.key(120_042));
    assertTrue(body.startsWith("{\"id\":\"item-000000120042\",\"pk\":\"customer-00000042\","));
    assertTrue(body.endsWith("}"));
  }

  @Test
  void batchedItemsShareAKeyByTheHundred() {
    var documents = Documents.batched();
    assertEquals(documents.key(100), documents.key(199));
    assertEquals("customer-00000002", documents.key(200));
    String body = new String(documents.body(250), StandardCharsets.US_ASCII);
    assertTrue(body.startsWith("{\"id\":\"item-000000000250\",\"pk\":\"customer-00000002\","));
  }

  @Test
  void queriedItemsHaveABatchAndARank() {
    var documents = Documents.queried(1_000);
    String body = new String(documents.body(123), StandardCharsets.US_ASCII);
    assertEquals(1_024, body.length());
    assertTrue(
        body.contains(",\"batch\":\"batch-00000003\",\"rank\":" + Documents.rankOf(123) + ","));
  }

  @Test
  void theSameNumberGivesTheSameBytes() {
    assertArrayEquals(Documents.small(1_000).body(7), Documents.small(1_000).body(7));
  }
}
