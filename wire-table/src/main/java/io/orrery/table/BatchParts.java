package io.orrery.table;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.orrery.http.Origin;
import io.orrery.operation.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the multipart body of a batch apart. Clients differ in their line ends and in how many
 * blank lines they leave, so all of that is taken.
 */
final class BatchParts {
  private static final String BOUNDARY = "boundary=";
  private static final int BOUNDARY_MAX = 70;

  /** Of a part, and of the request in it: each takes many times the memory of its bytes. */
  private static final int HEADERS_MAX = 100;

  /** As for single requests: parsed parameters take many times the memory of their bytes. */
  private static final int LINE_CHARACTERS_MAX = 16 << 10;

  private final String account;
  private final Origin origin;

  BatchParts(String account, Origin origin) {
    this.account = account;
    this.origin = origin;
  }

  /**
   * What a batch holds.
   *
   * @param changes whether the requests stand in a change set
   */
  record Content(List<TableRequest> requests, boolean changes) {}

  /** One character per byte; nothing is decoded before it is known what it is. */
  Content read(@Nullable String contentType, Bytes body) {
    // A form on a web page can send other types without asking first.
    if (contentType == null || !isMixed(contentType)) {
      throw malformed("its content type is not multipart/mixed with a boundary");
    }
    String text = new String(body.array(), StandardCharsets.ISO_8859_1);
    List<String> parts = split(text, boundary(contentType));
    if (parts.size() != 1) {
      throw malformed("a batch has one change set, or one query");
    }
    String part = parts.getFirst();
    String type = mimeHeader(part, "content-type");
    if (type == null || !isMixed(type)) {
      return new Content(List.of(request(part)), false);
    }
    List<TableRequest> requests = new ArrayList<>();
    for (String change : split(afterHeaders(part), boundary(type))) {
      requests.add(request(change));
    }
    return new Content(requests, true);
  }

  private static boolean isMixed(String contentType) {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return type.strip().equalsIgnoreCase("multipart/mixed");
  }

  private static String boundary(@Nullable String contentType) {
    int at = AsciiString.indexOfIgnoreCaseAscii(contentType, BOUNDARY, 0);
    if (contentType == null || at < 0) {
      throw malformed("its content type names no boundary");
    }
    String rest = contentType.substring(at + BOUNDARY.length());
    int end = rest.indexOf(';');
    String boundary = (end < 0 ? rest : rest.substring(0, end)).strip();
    if (boundary.length() > 1 && boundary.startsWith("\"") && boundary.endsWith("\"")) {
      boundary = boundary.substring(1, boundary.length() - 1);
    }
    if (boundary.isEmpty()) {
      throw malformed("its content type names no boundary");
    }
    // The bound of RFC 2046: each byte of the body is compared with it at worst.
    if (boundary.length() > BOUNDARY_MAX) {
      throw malformed("its boundary has more than 70 characters");
    }
    return boundary;
  }

  private static List<String> split(String text, String boundary) {
    String delimiter = "--" + boundary;
    List<String> parts = new ArrayList<>();
    int at = delimiterAt(text, delimiter, 0);
    while (true) {
      if (at < 0) {
        throw malformed("its last part has no end");
      }
      int behind = at + delimiter.length();
      // One part more than a batch may have is enough to know.
      if (text.startsWith("--", behind) || parts.size() > Batch.CHANGES_MAX) {
        return parts;
      }
      int line = text.indexOf('\n', behind);
      int next = line < 0 ? -1 : delimiterAt(text, delimiter, line);
      if (next >= 0) {
        parts.add(text.substring(line + 1, next));
      }
      at = next;
    }
  }

  /** A delimiter stands at the beginning of a line. */
  private static int delimiterAt(String text, String delimiter, int from) {
    int at = text.indexOf(delimiter, from);
    while (at > 0 && text.charAt(at - 1) != '\n') {
      at = text.indexOf(delimiter, at + 1);
    }
    return at;
  }

  private static @Nullable String mimeHeader(String part, String name) {
    for (String line : part.substring(0, headersEnd(part)).split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
        return line.substring(colon + 1).strip();
      }
    }
    return null;
  }

  /** The first blank line. */
  private static int headersEnd(String part) {
    int at = 0;
    for (int lines = 0; at < part.length(); lines++) {
      if (lines > HEADERS_MAX) {
        throw tooManyHeaders();
      }
      int end = part.indexOf('\n', at);
      if (end < 0) {
        throw malformed("a part has no blank line behind its headers");
      }
      if (part.substring(at, end).isBlank()) {
        return at;
      }
      at = end + 1;
    }
    throw malformed("a part has no blank line behind its headers");
  }

  private static String afterHeaders(String part) {
    return part.substring(part.indexOf('\n', headersEnd(part)) + 1);
  }

  private TableRequest request(String part) {
    String http = afterHeaders(part).stripLeading();
    int lineEnd = http.indexOf('\n');
    String first = (lineEnd < 0 ? http : http.substring(0, lineEnd)).strip();
    if (first.length() > LINE_CHARACTERS_MAX) {
      throw malformed(
          "the request line of a part has more than " + LINE_CHARACTERS_MAX + " characters");
    }
    String[] line = first.split(" ", -1);
    if (line.length != 3 || !line[2].startsWith("HTTP/")) {
      throw malformed("a part holds no HTTP request");
    }
    String rest = lineEnd < 0 ? "" : http.substring(lineEnd + 1);
    HttpHeaders headers =
        DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
    int at = 0;
    while (at < rest.length()) {
      int end = rest.indexOf('\n', at);
      String header = (end < 0 ? rest.substring(at) : rest.substring(at, end)).strip();
      at = end < 0 ? rest.length() : end + 1;
      if (header.isEmpty()) {
        break;
      }
      int colon = header.indexOf(':');
      if (colon <= 0) {
        throw malformed("a request of it has a line that is no header");
      }
      if (headers.size() >= HEADERS_MAX) {
        throw tooManyHeaders();
      }
      headers.add(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
    }
    contentId(part, headers);
    TablePath path = TablePath.parse(line[1], account);
    QueryString parameters = QueryString.of(line[1]);
    if (path == null || parameters == null) {
      throw new RefusedRequest(TableErrors.BAD_PATH);
    }
    byte[] body = rest.substring(at).strip().getBytes(StandardCharsets.ISO_8859_1);
    return new TableRequest(
        TableRequest.method(line[0], headers), path, parameters, headers, Bytes.of(body), origin);
  }

  /** Clients name their requests before them or in them; the name comes back with the answer. */
  private static void contentId(String part, HttpHeaders headers) {
    String before = mimeHeader(part, TableHeaders.CONTENT_ID.toString());
    if (before != null) {
      headers.set(TableHeaders.CONTENT_ID, before);
    }
    String given = headers.get(TableHeaders.CONTENT_ID);
    if (given != null && !given.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      headers.remove(TableHeaders.CONTENT_ID);
    }
  }

  private static RefusedRequest tooManyHeaders() {
    return malformed("a part has more than " + HEADERS_MAX + " headers");
  }

  private static RefusedRequest malformed(String reason) {
    return RefusedRequest.invalidInput("The batch request is malformed: " + reason + ".");
  }
}
