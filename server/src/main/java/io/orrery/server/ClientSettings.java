package io.orrery.server;

/**
 * What clients may do before they have shown a key.
 *
 * @param connections at a time, over all ports
 * @param connectionsPerAddress of them from one address
 * @param plainHttp whether connections without TLS are served
 * @param metricsNames whether unsigned metrics name databases and containers
 */
record ClientSettings(
    int connections, int connectionsPerAddress, boolean plainHttp, boolean metricsNames) {
  static final int CONNECTIONS_MOST = 1_000_000;

  /** A choice that is made or not. */
  enum Switch {
    ON,
    OFF
  }
}
