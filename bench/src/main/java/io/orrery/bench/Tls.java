package io.orrery.bench;

import java.nio.file.Path;
import java.util.List;

/** The certificate that the real server made, which the bare one shows too. */
final class Tls {
  private Tls() {}

  /** The server makes its certificate beside its start: a handshake waits until it is there. */
  static void force(int port) throws InterruptedException {
    Load.connect(Target.tls(port), 1, 1).close();
  }

  static List<String> certificate(Path data) {
    Path folder = data.resolve("tls");
    return List.of(
        "--certificate",
        folder.resolve("server.pem").toString(),
        "--certificate-key",
        folder.resolve("server-key.pem").toString());
  }
}
