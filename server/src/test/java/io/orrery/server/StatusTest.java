package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command against a running server. */
class StatusTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path data;
  private Server server;
  private SignedClient client;

  @BeforeEach
  void start() {
    var given = new EnumMap<Setting, String>(Setting.class);
    given.put(Setting.DATA, data.toString());
    given.put(Setting.PORT, "0");
    given.put(Setting.TLS, "off");
    server = Server.start(Settings.read(given, Map.of()));
    client = new SignedClient("http://127.0.0.1:" + port());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String port() {
    return Integer.toString(server.address().getPort());
  }

  private void fill() throws IOException {
    client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"shop 1\"}");
    String definition = "{\"id\":\"orders\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    var made =
        client.send(
            new Target("POST", "colls", "dbs/shop 1", "dbs/shop%201/colls"),
            definition,
            "x-ms-offer-throughput",
            "20000");
    assertEquals(201, made.statusCode(), made.body());
    for (int i = 0; i < 20; i++) {
      String item = "{\"id\":\"" + i + "\",\"pk\":\"" + (i < 15 ? "hot" : "k" + i) + "\"}";
      var target =
          new Target("POST", "docs", "dbs/shop 1/colls/orders", "dbs/shop%201/colls/orders/docs");
      assertEquals(201, client.send(target, item).statusCode());
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Commands.with(Map.of())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private List<String> shown(String... arguments) {
    assertEquals(0, run(arguments), err::toString);
    return out.toString().lines().toList();
  }

  @Test
  void containersAreListed() throws IOException {
    assertEquals(List.of("There are no containers."), shown("status", "--port", port()));
    fill();
    List<String> lines = shown("status", "--port", port(), "--data", data.toString());
    assertEquals(2, lines.size(), out::toString);
    assertTrue(lines.get(1).matches("shop 1/orders +20,000 RU/s manual +2 +.*B +20"), lines.get(1));
  }

  @Test
  void partitionsOfAContainerAreShownWithBars() throws IOException {
    fill();
    List<String> lines = shown("status", "shop 1/orders", "--port", port());
    assertTrue(lines.getFirst().contains("key /pk, partitions 2"), out::toString);
    String hot = lines.stream().filter(line -> line.contains("[\"hot\"]")).findFirst().orElse("");
    assertTrue(hot.contains(" ############ "), out::toString);
    assertTrue(hot.contains(" of 10,000 "), out::toString);
    assertTrue(lines.getLast().startsWith("largest key: [\"hot\"], "), out::toString);
  }

  @Test
  void operationsAreShown() throws IOException {
    fill();
    var split =
        new Target(
            "POST", "", "", "_orrery/databases/shop%201/containers/orders/partitions/0/split");
    assertEquals(202, client.send(split, "{\"stepped\":true,\"mode\":\"midpoint\"}").statusCode());
    List<String> lines = shown("status", "shop 1/orders", "--port", port());
    String last = lines.getLast();
    assertTrue(last.contains("of shop 1/orders, range 0 (request): Preparing since 2"), last);
    assertEquals(last, shown("status", "--port", port()).getLast());
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    assertEquals(2, run("status", "none/c", "--port", port()));
    assertEquals("orrery: the server has no container 'none/c'\n", err.toString());
    assertEquals(2, run("status", "c", "--port", port()));
    assertTrue(err.toString().contains("DATABASE/CONTAINER"), err::toString);
    String wrong = "c29tZWJvZHkgZWxzZSdzIGtleQ==";
    assertEquals(2, run("status", "--port", port(), "--key", wrong));
    assertTrue(err.toString().contains("does not know this key"), err::toString);
    assertFalse(err.toString().contains(wrong), err::toString);
    assertEquals(2, run("status", "--data", data.resolve("none").toString(), "--port", port()));
    assertTrue(err.toString().contains("holds no keys"), err::toString);
    // Somebody has the port, so that nobody else gets it, and does not listen.
    try (var silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String port = Integer.toString(silent.getLocalPort());
      assertEquals(2, run("status", "--port", port));
      assertTrue(err.toString().contains("no server answers at 127.0.0.1:" + port), err::toString);
    }
  }

  @Test
  void helpNamesItsOptions() {
    assertEquals(0, run("status", "--help"));
    for (String name : List.of("DATABASE/CONTAINER", "--host", "--port", "--key", "--data")) {
      assertTrue(out.toString().contains(name), out::toString);
    }
  }
}
