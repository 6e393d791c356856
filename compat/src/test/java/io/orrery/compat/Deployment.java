package io.orrery.compat;

/** Over which scheme a suite talks, and to containers of how many partitions. */
enum Deployment {
  HTTP_ONE_RANGE("http", 400, 1),
  HTTP_FIVE_RANGES("http", 50_000, 5),
  HTTPS_ONE_RANGE("https", 400, 1),
  HTTPS_FIVE_RANGES("https", 50_000, 5);

  private final String scheme;
  private final int throughput;
  private final int ranges;

  Deployment(String scheme, int throughput, int ranges) {
    this.scheme = scheme;
    this.throughput = throughput;
    this.ranges = ranges;
  }

  String scheme() {
    return scheme;
  }

  /** In RU/s; one partition for every ten thousand. */
  int throughput() {
    return throughput;
  }

  int ranges() {
    return ranges;
  }

  String tableEndpoint() {
    return SharedServer.server().tableEndpoint(scheme).toString();
  }

  String endpoint() {
    return SharedServer.server().endpoint(scheme).toString();
  }
}
