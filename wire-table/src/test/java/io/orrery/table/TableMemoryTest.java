package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.Bounds;
import io.orrery.http.HttpDate;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Memory;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What requests and answers take of the memory for them, and that they return it. */
class TableMemoryTest {
  private static final String ENTITY = "/people(PartitionKey='p',RowKey='r')";

  private final Memory memory = Memory.ofHeap(64 << 20);
  private final TableFixture server = new TableFixture(Bounds.of(memory));

  @BeforeEach
  void makeTable() {
    assertEquals(201, server.post("/Tables", "{\"TableName\":\"people\"}").statusCode());
  }

  @AfterEach
  void close() {
    server.close();
    for (Memory.Lane lane : Memory.Lane.values()) {
      assertEquals(0, memory.takenBytes(lane), lane.name());
    }
  }

  private static String entity(String rowKey) {
    String text = "x".repeat(30_000);
    return ("{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\",\"n\":1,\"a\":\"" + text)
        + ("\",\"b\":\"" + text + "\",\"c\":\"" + text + "\"}");
  }

  private static String get(String path) {
    String date = HttpDate.text(Instant.now().getEpochSecond());
    String signature =
        TableFixture.sign(AccountKeys.WELL_KNOWN, date + "\n/" + TableConfig.ACCOUNT + path);
    return ("GET " + path + "?$select=n HTTP/1.1\r\nHost: localhost\r\nx-ms-date: " + date)
        + ("\r\nAuthorization: SharedKeyLite " + TableConfig.ACCOUNT + ":" + signature)
        + "\r\n\r\n";
  }

  /** The query is answered by another thread, and the read behind it while that is handed over. */
  @Test
  void answersThatFollowEachOtherReturnTheirMemory() throws IOException {
    assertEquals(201, server.post("/people", entity("r")).statusCode());
    try (var socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      String last = get(ENTITY).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
      String requests = (get("/people()") + get(ENTITY)).repeat(20) + last;
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertEquals(41, answers.split("HTTP/1.1 200", -1).length - 1);
    }
  }

  @Test
  void whatWasWrittenIsToldInShortWhenAnswersHaveNoRoom() {
    long lane = memory.boundBytes(Memory.Lane.WIRE_OUT);
    assertTrue(memory.tryTake(Memory.Lane.WIRE_OUT, lane));
    HttpResponse<String> one = server.post("/people", entity("r"));
    assertEquals(204, one.statusCode());
    assertEquals("", one.body());
    String insert =
        "POST http://127.0.0.1/people HTTP/1.1\r\nContent-Type: application/json\r\n\r\n";
    HttpResponse<String> batch =
        server
            .request("POST", "/$batch")
            .contentType("multipart/mixed; boundary=b")
            .body(BatchTest.batch(insert + entity("1"), insert + entity("2")))
            .send();
    assertEquals(202, batch.statusCode());
    assertTrue(batch.body().contains("HTTP/1.1 204"), batch.body());
    assertFalse(batch.body().contains("xxx"));
    assertEquals(503, server.get(ENTITY).statusCode());
    memory.giveBack(Memory.Lane.WIRE_OUT, lane);
    assertEquals(200, server.get(ENTITY).statusCode());
  }
}
