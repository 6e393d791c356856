package io.orrery.nosql;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.orrery.operation.Answer;
import io.orrery.operation.Limits;
import io.orrery.operation.RequestCharge;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts the heads of answers together. Belongs to one event loop, so that what repeats (status
 * lines, fixed headers, the date, names of owners) is put into bytes once.
 */
final class ResponseWriter {
  private static final int OWNERS_MAX = 1_000;
  private static final int STATUS_MAX = 600;
  private static final AsciiString LINE_END = new AsciiString("\r\n");
  private static final AsciiString DATE = new AsciiString("\r\nDate: ");
  private static final AsciiString ACTIVITY = new AsciiString("\r\nx-ms-activity-id: ");
  private static final AsciiString DURATION = new AsciiString("\r\nx-ms-request-duration-ms: ");
  private static final AsciiString CHARGE = new AsciiString("x-ms-request-charge: ");
  private static final AsciiString SESSION = new AsciiString("x-ms-session-token: ");
  private static final AsciiString VERSION = new AsciiString(":-1#");
  private static final AsciiString LSN = new AsciiString("\r\nlsn: ");
  private static final AsciiString ITEM_LSN = new AsciiString("\r\nx-ms-item-lsn: ");
  private static final AsciiString COMMITTED_LSN =
      new AsciiString("\r\nx-ms-global-committed-lsn: ");
  private static final AsciiString RANGE =
      new AsciiString("\r\nx-ms-documentdb-partitionkeyrangeid: ");
  private static final AsciiString ETAG = new AsciiString("etag: ");
  private static final AsciiString LENGTH = new AsciiString("Content-Length: ");
  private static final AsciiString CLOSE = new AsciiString("Connection: close\r\n");
  private static final AsciiString KEEP_ALIVE = new AsciiString("Connection: keep-alive\r\n");

  private final AsciiOut head = new AsciiOut();
  private final AsciiString fixedHeaders;
  private final AsciiString[] statusLines = new AsciiString[STATUS_MAX];
  private final Map<Answer.Owner, OwnerNames> owners = new HashMap<>();
  private AsciiString date = AsciiString.EMPTY_STRING;
  private long dateSeconds;

  ResponseWriter(Limits limits, Instant started) {
    long kilobytes = limits.physicalPartitionBytes() >> 10;
    fixedHeaders =
        new AsciiString(
            "Cache-Control: no-store, no-cache\r\n"
                + "x-ms-serviceversion: version=2.14.0.0\r\n"
                + "x-ms-gatewayversion: version=2.14.0\r\n"
                + "x-ms-schemaversion: 1.21\r\n"
                + ("x-ms-resource-quota: documentSize=" + (limits.itemBytes() >> 10))
                + (";documentsSize=" + kilobytes + ";documentsCount=-1;collectionSize=")
                + (kilobytes + ";\r\n")
                + ("x-ms-last-state-change-utc: " + HttpDate.text(started.getEpochSecond())));
  }

  /** The head up to what depends on the answer. */
  AsciiOut begin(int status, Exchange exchange) {
    head.clear().put(statusLine(status)).put(fixedHeaders).put(DATE).put(date());
    head.put(ACTIVITY).put(exchange.activityId());
    long micros = (System.nanoTime() - exchange.startNanos()) / 1_000;
    return head.put(DURATION).decimal(micros, 3).put(LINE_END);
  }

  /** What every answer of the database tells: its price, its owner and the state it saw. */
  AsciiOut begin(int status, Exchange exchange, Answer answer) {
    begin(status, exchange);
    charge(answer.charge());
    Answer.Position position = answer.position();
    if (position != null) {
      // One pair only: the Java SDK takes what stands before and after the first colon.
      head.put(SESSION).put(position.rangeId()).put(VERSION).number(position.lsn());
      head.put(LSN).number(position.lsn());
      head.put(ITEM_LSN).number(position.itemLsn());
      head.put(COMMITTED_LSN).number(position.lsn());
      head.put(RANGE).put(position.rangeId()).put(LINE_END);
    }
    Answer.Owner owner = answer.owner();
    return owner == null ? head : head.put(names(owner).headers());
  }

  void charge(RequestCharge charge) {
    head.put(CHARGE).decimal(charge.hundredths(), 2).put(LINE_END);
  }

  void etag(String etag) {
    head.put(ETAG).put(etag).put(LINE_END);
  }

  /** A header without peculiarities; the name comes with its colon. */
  void header(AsciiString name, String value) {
    head.put(name).put(value).put(LINE_END);
  }

  /** Headers with their line ends. */
  void headers(AsciiString lines) {
    head.put(lines);
  }

  /** Ends the head of an answer without a body, not even an empty one. */
  AsciiOut end(Exchange exchange) {
    if (exchange.isLast()) {
      head.put(CLOSE);
    } else if (exchange.isOldVersion()) {
      head.put(KEEP_ALIVE);
    }
    return head.put(LINE_END);
  }

  /** Ends the head of an answer with a body. */
  AsciiOut end(Exchange exchange, long bodyBytes) {
    head.put(LENGTH).number(bodyBytes).put(LINE_END);
    return end(exchange);
  }

  OwnerNames names(Answer.Owner owner) {
    OwnerNames names = owners.get(owner);
    if (names == null) {
      if (owners.size() == OWNERS_MAX) {
        owners.clear();
      }
      names = new OwnerNames(owner);
      owners.put(owner, names);
    }
    return names;
  }

  private AsciiString statusLine(int status) {
    AsciiString line = statusLines[status];
    if (line == null) {
      String reason = HttpResponseStatus.valueOf(status).reasonPhrase();
      line = new AsciiString("HTTP/1.1 " + status + " " + reason + "\r\n");
      statusLines[status] = line;
    }
    return line;
  }

  private AsciiString date() {
    long seconds = System.currentTimeMillis() / 1_000;
    if (seconds != dateSeconds) {
      dateSeconds = seconds;
      date = new AsciiString(HttpDate.text(seconds));
    }
    return date;
  }
}
