package io.orrery.nosql;

import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.Exchange;
import io.orrery.http.HttpDate;
import io.orrery.http.ResponseHead;
import io.orrery.operation.Answer;
import io.orrery.operation.Limits;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts the heads of this protocol's answers together. Belongs to one event loop, so that what
 * repeats (fixed headers, names of owners) is put into bytes once.
 */
final class ResponseWriter extends ResponseHead {
  private static final int OWNERS_MAX = 1_000;
  private static final AsciiString LINE_END = new AsciiString("\r\n");
  private static final AsciiString ACTIVITY = new AsciiString("\r\nx-ms-activity-id: ");
  private static final AsciiString DURATION = new AsciiString("\r\nx-ms-request-duration-ms: ");
  private static final AsciiString SESSION = new AsciiString("x-ms-session-token: ");
  private static final AsciiString VERSION = new AsciiString(":-1#");
  private static final AsciiString LSN = new AsciiString("\r\nlsn: ");
  private static final AsciiString ITEM_LSN = new AsciiString("\r\nx-ms-item-lsn: ");
  private static final AsciiString COMMITTED_LSN =
      new AsciiString("\r\nx-ms-global-committed-lsn: ");
  private static final AsciiString RANGE =
      new AsciiString("\r\nx-ms-documentdb-partitionkeyrangeid: ");
  private static final AsciiString ETAG = new AsciiString("etag: ");

  private final AsciiString fixedHeaders;
  private final Map<Answer.Owner, OwnerNames> owners = new HashMap<>();

  ResponseWriter(Limits limits, Instant started) {
    fixedHeaders =
        new AsciiString(
            "Cache-Control: no-store, no-cache\r\n"
                + "x-ms-serviceversion: version=2.14.0.0\r\n"
                + "x-ms-gatewayversion: version=2.14.0\r\n"
                + "x-ms-schemaversion: 1.21\r\n"
                + ("x-ms-resource-quota: " + limits.quota() + "\r\n")
                + ("x-ms-last-state-change-utc: " + HttpDate.text(started.getEpochSecond())));
  }

  /** The head up to what depends on the answer. */
  AsciiOut begin(int status, Exchange exchange) {
    AsciiOut head = begin(status).put(fixedHeaders);
    head.put(ACTIVITY).put(exchange.activityId());
    long micros = (System.nanoTime() - exchange.startNanos()) / 1_000;
    return head.put(DURATION).decimal(micros, 3).put(LINE_END);
  }

  /** What every answer of the database tells: its price, its owner and the state it saw. */
  AsciiOut begin(int status, Exchange exchange, Answer answer) {
    AsciiOut head = begin(status, exchange);
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

  void etag(String etag) {
    header(ETAG, etag);
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
}
