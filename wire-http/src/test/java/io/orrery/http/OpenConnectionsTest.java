package io.orrery.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Who may have how many connections; nothing is connected here. */
class OpenConnectionsTest {
  private final OpenConnections connections = new OpenConnections(10, 2);

  private boolean tryOpen(String address) {
    return connections.tryOpen(InetAddress.ofLiteral(address));
  }

  private void close(String address) {
    connections.close(InetAddress.ofLiteral(address));
  }

  @Test
  void anAddressHasItsShareAndGetsItBack() {
    assertTrue(tryOpen("10.0.0.1"));
    assertTrue(tryOpen("10.0.0.1"));
    assertFalse(tryOpen("10.0.0.1"));
    assertTrue(tryOpen("10.0.0.2"));
    assertEquals(3, connections.open());
    assertEquals(1, connections.refused());
    close("10.0.0.1");
    assertTrue(tryOpen("10.0.0.1"));
    assertFalse(tryOpen("10.0.0.1"));
    assertEquals(3, connections.open());
  }

  @Test
  void loopbackIsHeldToTheSumOnly() {
    for (int i = 0; i < 10; i++) {
      assertTrue(tryOpen(i % 2 == 0 ? "127.0.0.1" : "::1"));
    }
    assertFalse(tryOpen("127.0.0.1"));
    assertFalse(tryOpen("10.0.0.1"));
    close("::1");
    assertTrue(tryOpen("10.0.0.1"));
    assertEquals(10, connections.open());
    assertEquals(2, connections.refused());
  }

  @Test
  void theAddressesOfAnIpv6NetworkCountAsOne() {
    assertTrue(tryOpen("2001:db8:0:7::1"));
    assertTrue(tryOpen("2001:db8:0:7:ffff:ffff:ffff:ffff"));
    assertFalse(tryOpen("2001:db8:0:7::2"));
    assertTrue(tryOpen("2001:db8:0:8::1"));
    close("2001:db8:0:7::1");
    assertTrue(tryOpen("2001:db8:0:7::2"));
  }

  /** A socket for both families shows them as ::ffff:a.b.c.d, which are all in one /64. */
  @Test
  void ipv4ClientsOfAnIpv6SocketAreToldApart() throws UnknownHostException {
    for (int host = 1; host <= 3; host++) {
      assertTrue(connections.tryOpen(mapped(10, 0, 0, host)));
      assertTrue(tryOpen("10.0.0." + host));
      assertFalse(connections.tryOpen(mapped(10, 0, 0, host)));
    }
    for (int i = 0; i < 4; i++) {
      assertTrue(connections.tryOpen(mapped(127, 0, 0, 1)));
    }
  }

  /** A gateway shows IPv4 clients to an IPv6 server as 64:ff9b::a.b.c.d. */
  @Test
  void ipv4ClientsBehindNat64AreToldApart() {
    for (int host = 1; host <= 3; host++) {
      assertTrue(tryOpen("64:ff9b::10.0.0." + host));
      assertTrue(tryOpen("10.0.0." + host));
      assertFalse(tryOpen("64:ff9b::10.0.0." + host));
    }
    close("64:ff9b::10.0.0.1");
    assertTrue(tryOpen("10.0.0.1"));
    // Only the /96 is the gateway's.
    assertTrue(tryOpen("64:ff9b::1:10.0.0.1"));
    assertTrue(tryOpen("64:ff9b::1:10.0.0.2"));
    assertFalse(tryOpen("64:ff9b::1:10.0.0.3"));
  }

  /** A client cannot pass for one on this machine, which is held to the sum only. */
  @Test
  void loopbackBehindNat64IsCounted() {
    assertTrue(tryOpen("64:ff9b::127.0.0.1"));
    assertTrue(tryOpen("64:ff9b::127.0.0.1"));
    assertFalse(tryOpen("64:ff9b::127.0.0.1"));
  }

  private static InetAddress mapped(int a, int b, int c, int d) throws UnknownHostException {
    byte[] bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) a, (byte) b, (byte) c, (byte) d};
    return Inet6Address.getByAddress(null, bytes, 0);
  }
}
