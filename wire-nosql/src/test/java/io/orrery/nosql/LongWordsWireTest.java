package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.nosql.WireClient.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Words that no client sends, of a letter that becomes two in lower case: the JDK copies the text
 * again for each of them, a million take minutes.
 */
@Timeout(60)
class LongWordsWireTest {
  private static final String DOCS = "dbs/d/colls/c/docs";
  private static final String[] KEY = {"x-ms-documentdb-partitionkey", "[\"a\"]"};
  private static final String LONG = "\u0130".repeat(1_000_000);

  private final ServerFixture server = new ServerFixture();
  private final WireClient client = server.client();

  @BeforeEach
  void create() {
    assertEquals(201, client.post("dbs", "{\"id\":\"d\"}").status());
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    assertEquals(201, client.post("dbs/d/colls", definition).status());
    assertEquals(201, client.post(DOCS, "{\"id\":\"1\",\"pk\":\"a\"}", KEY).status());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static void assertRefused(Reply reply) {
    assertEquals(400, reply.status());
    assertTrue(reply.body().length() < 10_000, "the answer does not repeat the word");
  }

  @Test
  void aVeryLongNameOfAPatchOperationIsRefused() {
    String patch = "[{\"op\":\"" + LONG + "\",\"path\":\"/n\",\"value\":1}]";
    assertRefused(client.send("PATCH", DOCS + "/1", patch, KEY));
  }

  @Test
  void aVeryLongNameOfABatchOperationIsRefused() {
    String step = "{\"operationType\":\"" + LONG + "\",\"id\":\"1\"}";
    for (String atomic : new String[] {"true", "false"}) {
      assertRefused(
          client.post(
              DOCS,
              "[" + step + "]",
              KEY[0],
              KEY[1],
              "x-ms-cosmos-is-batch-request",
              "true",
              "x-ms-cosmos-batch-atomic",
              atomic));
    }
  }

  @Test
  void namesOfOperationsAreTakenInAnyCase() {
    String patch = "[{\"op\":\"Add\",\"path\":\"/n\",\"value\":1}]";
    assertEquals(200, client.send("PATCH", DOCS + "/1", patch, KEY).status());
    patch = "[{\"op\":\"INCR\",\"path\":\"/n\",\"value\":1}]";
    Reply reply = client.send("PATCH", DOCS + "/1", patch, KEY);
    assertTrue(reply.body().contains("\"n\":2"), reply.body());
  }
}
