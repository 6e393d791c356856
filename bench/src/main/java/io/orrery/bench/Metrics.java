package io.orrery.bench;

import java.util.List;

/** What the real server tells about its storage. */
final class Metrics {
  private Metrics() {}

  /** The lines about the cache of blocks; none where the server does not tell. */
  static List<String> of(int port) {
    Answer page = Answer.to("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n", port);
    return page.body()
        .lines()
        .filter(line -> !line.startsWith("#") && line.contains("cache"))
        .toList();
  }
}
