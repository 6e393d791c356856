package io.orrery.bench;

import java.util.Locale;

/** How often a server found a block in its cache, as it tells under /metrics. */
record BlockCache(String name, long hits, long misses) {
  static final String HITS = "orrery_storage_cache_hits_total";
  static final String MISSES = "orrery_storage_cache_misses_total";

  static BlockCache of(Side side) {
    Answer page =
        Answer.to("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n", side.child().port());
    return new BlockCache(side.name(), value(page.body(), HITS), value(page.body(), MISSES));
  }

  private static long value(String text, String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(metric.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  /** Counting costs reads something, so a server may leave it. */
  boolean counted() {
    return hits + misses > 0;
  }

  BlockCache since(BlockCache before) {
    return new BlockCache(name, hits - before.hits, misses - before.misses);
  }

  @Override
  public String toString() {
    return counted()
        ? String.format(Locale.ROOT, "%s: block cache %,d hits, %,d misses", name, hits, misses)
        : name + ": block cache not counted";
  }
}
