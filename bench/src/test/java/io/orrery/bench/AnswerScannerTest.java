package io.orrery.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerScannerTest {
  private final AnswerScanner scanner = new AnswerScanner();

  @Test
  void anAnswerEndsAfterItsBody() {
    ByteBuf answer =
        bytes("HTTP/1.1 200 OK\r\ndate: now\r\nContent-Length: 12\r\n\r\n{\"id\":\"abc\"}");
    assertEquals(answer.readableBytes(), scanner.answerBytes(answer));
    assertEquals(200, AnswerScanner.status(answer));
  }

  @Test
  void theLengthIsFoundAtAnyPlace() {
    ByteBuf answer = bytes("HTTP/1.1 201 Created\r\ncontent-length: 2\r\nx-ms-lsn: 17\r\n\r\n{}");
    assertEquals(answer.readableBytes(), scanner.answerBytes(answer));
    assertEquals(201, AnswerScanner.status(answer));
  }

  @Test
  void anAnswerWithoutALengthHasNoBody() {
    ByteBuf answer = bytes("HTTP/1.1 204 No Content\r\nx-ms-lsn: 17\r\n\r\n");
    assertEquals(answer.readableBytes(), scanner.answerBytes(answer));
  }

  @Test
  void everyBeginningOfAnAnswerIsIncomplete() {
    String whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    for (int length = 0; length < whole.length(); length++) {
      assertEquals(-1, scanner.answerBytes(bytes(whole.substring(0, length))));
    }
    assertEquals(whole.length(), scanner.answerBytes(bytes(whole)));
  }

  @Test
  void aShorterHeadAfterALongerOneIsFound() {
    String longer = "HTTP/1.1 200 OK\r\nx: " + "y".repeat(500) + "\r\nContent-Length: 0\r\n\r\n";
    String shorter = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assertEquals(longer.length(), scanner.answerBytes(bytes(longer)));
    assertEquals(shorter.length(), scanner.answerBytes(bytes(shorter)));
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }
}
