package io.orrery.table;

import io.netty.util.AsciiString;

/** Names of request headers. */
final class TableHeaders {
  static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");
  static final AsciiString MS_DATE = AsciiString.cached("x-ms-date");
  static final AsciiString DATE = AsciiString.cached("date");
  static final AsciiString CONTENT_MD5 = AsciiString.cached("content-md5");
  static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  static final AsciiString CONTENT_ID = AsciiString.cached("content-id");
  static final AsciiString ACCEPT = AsciiString.cached("accept");
  static final AsciiString HOST = AsciiString.cached("host");
  static final AsciiString IF_MATCH = AsciiString.cached("if-match");
  static final AsciiString PREFER = AsciiString.cached("prefer");
  static final AsciiString METHOD = AsciiString.cached("x-http-method");
  static final AsciiString CLIENT_REQUEST_ID = AsciiString.cached("x-ms-client-request-id");
  static final AsciiString VERSION = AsciiString.cached("x-ms-version");
  static final AsciiString OFFER_THROUGHPUT = AsciiString.cached("x-ms-offer-throughput");
  static final AsciiString OFFER_AUTOPILOT =
      AsciiString.cached("x-ms-cosmos-offer-autopilot-settings");

  private TableHeaders() {}
}
