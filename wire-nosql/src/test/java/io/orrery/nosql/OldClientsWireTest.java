package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What versions of SDKs that lock files still name send in a way of their own. */
@ExtendWith(QuietLog.class)
class OldClientsWireTest {
  private static final String ITEMS = "dbs/py/colls/c/docs";
  private static final String CHANGES = "A-IM: Incremental Feed\r\n";
  private static ServerFixture server;

  @BeforeAll
  static void start() {
    server = new ServerFixture();
    try (WireClient client = server.client()) {
      assertEquals(201, client.post("dbs", "{\"id\":\"py\"}").status());
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
      assertEquals(201, client.post("dbs/py/colls", container).status());
      assertEquals(201, client.post(ITEMS, "{\"id\":\"1\",\"pk\":\"a\"}").status());
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Sends to a target what is signed over a path, which may be written otherwise. */
  private static RawClient.Reply send(String verb, String target, String path, String rest) {
    try (RawClient client = server.connect()) {
      String head = verb + " " + target + " HTTP/1.1\r\nHost: localhost\r\n";
      client.send(head + Signature.now().lines(verb, path) + rest);
      return Objects.requireNonNull(client.reply());
    }
  }

  /** Python before 4.8.0 and pydocumentdb, with and without a slash at the end of the endpoint. */
  @Test
  void doubledSlashesAreOne() {
    assertEquals(200, send("GET", "//dbs/py/", "dbs/py", "\r\n").status());
    assertEquals(200, send("GET", "//", "", "\r\n").status());
    assertEquals(200, send("GET", "//dbs/py/colls/c/docs/", ITEMS, "\r\n").status());
    assertEquals(200, send("GET", "/dbs//py//colls/c", "dbs/py/colls/c", "\r\n").status());
    String item = "{\"id\":\"2\",\"pk\":\"a\"}";
    String rest = "Content-Length: " + item.length() + "\r\n\r\n" + item;
    assertEquals(201, send("POST", "//dbs/py/colls/c/docs/", ITEMS, rest).status());
  }

  /** Java 4.69 to 4.76 name the default strategy beside a level. */
  @Test
  void theDefaultReadStrategyIsNone() {
    String level = "x-ms-consistency-level: Session\r\n";
    String strategy = "x-ms-cosmos-read-consistency-strategy: ";
    String changes = CHANGES + level + strategy;
    assertEquals(200, send("GET", "/" + ITEMS, ITEMS, changes + "Default\r\n\r\n").status());
    assertEquals(400, send("GET", "/" + ITEMS, ITEMS, changes + "Eventual\r\n\r\n").status());
  }

  /** The Java SDK sends both. */
  @Test
  void aContinuationOfChangesKeepsTheTimeTheyBeganWith() {
    String afterNone = CHANGES + "If-None-Match: \"0\"\r\nIf-Modified-Since: ";
    String past = afterNone + "Mon, 16 Nov 2015 15:00:00 GMT\r\n\r\n";
    String future = afterNone + "Fri, 16 Nov 2035 15:00:00 GMT\r\n\r\n";
    assertEquals(200, send("GET", "/" + ITEMS, ITEMS, past).status());
    assertEquals(304, send("GET", "/" + ITEMS, ITEMS, future).status());
  }

  /** Go writes RFC 1123 with the zone's name. */
  @Test
  void datesNameTheirZoneInSeveralWays() {
    for (String zone : new String[] {"GMT", "UTC", "Z", "+0000"}) {
      String since = "If-Modified-Since: Mon, 16 Nov 2015 15:00:00 " + zone + "\r\n\r\n";
      RawClient.Reply reply = send("GET", "/" + ITEMS, ITEMS, CHANGES + since);
      assertEquals(200, reply.status(), zone + " " + reply.body());
    }
    String none = "If-Modified-Since: Mon, 16 Nov 2015 15:00:00 PST\r\n\r\n";
    assertEquals(400, send("GET", "/" + ITEMS, ITEMS, CHANGES + none).status());
  }
}
