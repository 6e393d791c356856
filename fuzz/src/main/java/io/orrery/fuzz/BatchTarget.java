package io.orrery.fuzz;

import io.orrery.table.FuzzedTable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads multipart batches: the first line is the content type, the rest the body. */
final class BatchTarget implements Target {

  @Override
  public void run(byte[] input) {
    String text = Utf8.latin1(input);
    int line = text.indexOf('\n');
    String type = line < 0 ? text : text.substring(0, line);
    String body = line < 0 ? "" : text.substring(line + 1);
    List<byte[]> bodies = FuzzedTable.batch(type, body.getBytes(StandardCharsets.ISO_8859_1));
    if (bodies == null) {
      return;
    }
    int requests = body.split("HTTP/", -1).length - 1;
    Finding.unless(bodies.size() <= requests, "more requests than the body has");
    int delimiters = body.split("(?m)^--", -1).length - 1;
    Finding.unless(
        bodies.size() < delimiters, bodies.size() + " requests between " + delimiters + " lines");
    int bytes = 0;
    for (byte[] part : bodies) {
      Finding.unless(
          body.contains(new String(part, StandardCharsets.ISO_8859_1)), "a body from elsewhere");
      bytes += part.length;
    }
    Finding.unless(bytes <= body.length(), "bodies overlap");
  }
}
