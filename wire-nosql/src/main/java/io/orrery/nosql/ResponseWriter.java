package io.orrery.nosql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.orrery.operation.Answer;
import io.orrery.operation.Limits;
import io.orrery.operation.RequestCharge;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the heads of answers straight into their buffer. Belongs to one event loop, so that what
 * repeats (status lines, fixed headers, the date, names of owners) is put into bytes once.
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
  void begin(ByteBuf out, int status, Exchange exchange) {
    ascii(out, statusLine(status));
    ascii(out, fixedHeaders);
    ascii(out, DATE);
    ascii(out, date());
    ascii(out, ACTIVITY);
    ByteBufUtil.writeAscii(out, exchange.activityId());
    ascii(out, DURATION);
    decimal(out, (System.nanoTime() - exchange.startNanos()) / 1_000, 3);
    ascii(out, LINE_END);
  }

  /** What every answer of the database tells: its price, its owner and the state it saw. */
  void told(ByteBuf out, Answer answer) {
    charge(out, answer.charge());
    Answer.Position position = answer.position();
    if (position != null) {
      // One pair only: the Java SDK takes what stands before and after the first colon.
      ascii(out, SESSION);
      ByteBufUtil.writeAscii(out, position.rangeId());
      out.writeByte(':').writeByte('-').writeByte('1').writeByte('#');
      number(out, position.lsn());
      ascii(out, LSN);
      number(out, position.lsn());
      ascii(out, ITEM_LSN);
      number(out, position.itemLsn());
      ascii(out, COMMITTED_LSN);
      number(out, position.lsn());
      ascii(out, RANGE);
      ByteBufUtil.writeAscii(out, position.rangeId());
      ascii(out, LINE_END);
    }
    Answer.Owner owner = answer.owner();
    if (owner != null) {
      ascii(out, names(owner).headers());
    }
  }

  void charge(ByteBuf out, RequestCharge charge) {
    ascii(out, CHARGE);
    decimal(out, charge.hundredths(), 2);
    ascii(out, LINE_END);
  }

  void etag(ByteBuf out, String etag) {
    ascii(out, ETAG);
    ByteBufUtil.writeAscii(out, etag);
    ascii(out, LINE_END);
  }

  /** A header without peculiarities; the name comes with its colon. */
  void header(ByteBuf out, AsciiString name, CharSequence value) {
    ascii(out, name);
    ByteBufUtil.writeAscii(out, value);
    ascii(out, LINE_END);
  }

  /** The end of the head; {@code bodyBytes} must follow. Below zero: none are allowed to. */
  void end(ByteBuf out, int bodyBytes, Exchange exchange) {
    if (bodyBytes >= 0) {
      ascii(out, LENGTH);
      number(out, bodyBytes);
      ascii(out, LINE_END);
    }
    if (exchange.isLast()) {
      ascii(out, CLOSE);
    } else if (exchange.isOldVersion()) {
      ascii(out, KEEP_ALIVE);
    }
    ascii(out, LINE_END);
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

  static void ascii(ByteBuf out, AsciiString text) {
    out.writeBytes(text.array(), text.arrayOffset(), text.length());
  }

  static void number(ByteBuf out, long number) {
    if (number >= 0 && number < 10) {
      out.writeByte((int) ('0' + number));
    } else {
      ByteBufUtil.writeAscii(out, Long.toString(number));
    }
  }

  /** Writes 667 with two digits as 6.67, and 100 as 1. */
  static void decimal(ByteBuf out, long scaled, int digits) {
    long unit = digits == 2 ? 100 : 1_000;
    number(out, scaled / unit);
    long rest = scaled % unit;
    if (rest == 0) {
      return;
    }
    out.writeByte('.');
    for (long place = unit / 10; rest > 0; place /= 10) {
      out.writeByte((int) ('0' + rest / place));
      rest %= place;
    }
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
