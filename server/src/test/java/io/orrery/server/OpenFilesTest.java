package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class OpenFilesTest {
  private static final int FILES = 800;

  @TempDir Path data;

  @Test
  void connectionsLeaveFilesToOthers() {
    assertEquals(10_000, OpenFiles.connections(10_000, Long.MAX_VALUE));
    assertEquals(10_000, OpenFiles.connections(10_000, 11_000));
    assertEquals(3_096, OpenFiles.connections(10_000, 4_096));
    assertEquals(512, OpenFiles.connections(10_000, 1_024));
    assertEquals(100, OpenFiles.connections(100, 1_024));
  }

  /** Clients need no key to connect, and the storage opens files while it works. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theStorageWorksBesideMoreConnectionsThanFiles() throws IOException {
    try (ServerProcess server = ServerProcess.startWithFiles(FILES, data)) {
      SignedClient owner = server.client();
      done(owner, Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}");
      List<Socket> clients = connect(server.port());
      while (figure(owner, "orrery_connections_refused_total") < FILES / 2) {
        Thread.onSpinWait();
      }
      for (String id : List.of("c1", "c2", "c3")) {
        done(owner, Target.feed("POST", "colls", "dbs/d"), container(id));
        done(owner, Target.one("DELETE", "colls", "dbs/d/colls/" + id), "");
      }
      for (Socket client : clients) {
        client.close();
      }
      while (figure(owner, "orrery_connections") > 1) {
        Thread.onSpinWait();
      }
    }
  }

  private static List<Socket> connect(int port) throws IOException {
    var clients = new ArrayList<Socket>();
    for (int i = 0; i < FILES; i++) {
      clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    return clients;
  }

  private static void done(SignedClient client, Target target, String body) throws IOException {
    int status = client.send(target, body).statusCode();
    assertEquals(target.verb().equals("POST") ? 201 : 204, status);
  }

  /** Asked over a connection that is there: no other one is served. */
  private static double figure(SignedClient client, String name) throws IOException {
    return client
        .send(new Target("GET", "", "", "metrics"), "")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private static String container(String id) {
    return "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
  }
}
