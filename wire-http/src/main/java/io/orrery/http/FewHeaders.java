package io.orrery.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;

/**
 * The headers of a request, of which there are few: each takes many times the memory of the bytes
 * that it is sent with. There are one Host and one Origin at most: the check of hosts, and
 * addresses in answers, rest on them.
 */
final class FewHeaders extends DefaultHttpHeaders {
  static final int MAX = 100;

  static final HttpHeadersFactory FACTORY =
      new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
          return new FewHeaders();
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
          return new FewHeaders();
        }
      };

  @Override
  public HttpHeaders add(String name, Object value) {
    return add((CharSequence) name, value);
  }

  @Override
  public HttpHeaders add(CharSequence name, Object value) {
    if (size() >= MAX) {
      throw new TooLongHttpHeaderException("There are more than " + MAX + " headers");
    }
    requireOne(HttpHeaderNames.HOST, name);
    requireOne(HttpHeaderNames.ORIGIN, name);
    return super.add(name, value);
  }

  private void requireOne(AsciiString header, CharSequence added) {
    if (header.contentEqualsIgnoreCase(added) && contains(header)) {
      throw new IllegalArgumentException("There is more than one header " + header);
    }
  }
}
