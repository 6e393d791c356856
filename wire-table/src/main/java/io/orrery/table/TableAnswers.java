package io.orrery.table;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.Exchange;
import io.orrery.http.ResponseHead;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;

/** Writes the answers of this wire. Belongs to one event loop. */
final class TableAnswers extends ResponseHead {
  static final AsciiString CONTENT_TYPE = new AsciiString("Content-Type: ");
  static final AsciiString ETAG = new AsciiString("ETag: ");
  static final AsciiString LOCATION = new AsciiString("Location: ");
  static final AsciiString DATA_SERVICE_ID = new AsciiString("DataServiceId: ");
  static final AsciiString NO_CONTENT_APPLIED =
      new AsciiString("Preference-Applied: return-no-content\r\n");
  static final AsciiString CONTENT_APPLIED =
      new AsciiString("Preference-Applied: return-content\r\n");

  private static final byte[] NOTHING = new byte[0];
  private static final AsciiString FIXED =
      new AsciiString(
          String.join(
              "\r\n",
              "Cache-Control: no-cache",
              "X-Content-Type-Options: nosniff",
              "DataServiceVersion: 3.0;",
              ""));
  private static final AsciiString VERSION = new AsciiString("x-ms-version: ");
  private static final AsciiString REQUEST_ID = new AsciiString("x-ms-request-id: ");
  private static final AsciiString CLIENT_REQUEST_ID = new AsciiString("x-ms-client-request-id: ");
  private static final AsciiString RETRY_AFTER_MILLIS = new AsciiString("x-ms-retry-after-ms: ");
  private static final AsciiString RETRY_AFTER = new AsciiString("Retry-After: ");
  private static final AsciiString SUBSTATUS = new AsciiString("x-ms-substatus: 3200\r\n");
  private static final AsciiString ERROR_TYPE =
      new AsciiString("Content-Type: application/json;odata=fullmetadata;charset=utf-8\r\n");

  private static final int KEPT_BYTES_MAX = 64 << 10;

  private AsciiOut body = new AsciiOut();

  /** An empty body, for one answer at a time. */
  AsciiOut body() {
    if (body.size() > KEPT_BYTES_MAX) {
      body = new AsciiOut();
    }
    return body.clear();
  }

  /** Begins an answer: what every one has. */
  void begin(int status, Exchange exchange, Echo echo, RequestCharge charge) {
    begin(status);
    headers(FIXED);
    header(REQUEST_ID, exchange.activityId());
    header(VERSION, echo.version());
    String clientId = echo.clientId();
    if (clientId != null) {
      header(CLIENT_REQUEST_ID, clientId);
    }
    charge(charge);
  }

  int endEmpty(ChannelHandlerContext context, Exchange exchange, int status) {
    send(context, status == 204 ? end(exchange) : end(exchange, 0), NOTHING);
    return status;
  }

  int end(ChannelHandlerContext context, Exchange exchange, int status, AsciiOut body) {
    send(context, end(exchange, body.size()), body);
    return status;
  }

  /** A whole answer that tells of an error. */
  int error(
      ChannelHandlerContext context,
      Exchange exchange,
      Echo echo,
      RequestCharge charge,
      TableError error) {
    begin(error.status(), exchange, echo, charge);
    retryLater(error);
    headers(ERROR_TYPE);
    byte[] body = error.body(exchange.activityId());
    // A HEAD is told the length of the body, and does not get it.
    send(context, end(exchange, body.length), exchange.isHead() ? NOTHING : body);
    return error.status();
  }

  void retryLater(TableError error) {
    Refusal.Throttled throttled = error.throttled();
    if (throttled != null) {
      header(RETRY_AFTER_MILLIS, Long.toString(throttled.retryAfterMillis()));
      header(RETRY_AFTER, Long.toString(Math.ceilDiv(throttled.retryAfterMillis(), 1_000L)));
      headers(SUBSTATUS);
    } else if (error.status() == 503) {
      header(RETRY_AFTER, "1");
    }
  }
}
