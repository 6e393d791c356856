package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that does not fit to those that serve a table is told why, and leaves no trace. */
class NodeRefusedTest {
  private static @TempDir Path data;
  private static List<String> options = List.of();
  private static OrreryProcess server;
  private static RestContainer container;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    ServerStorage.requireHbase();
    var given = new ArrayList<>(SharedServer.keyOptions());
    given.addAll(List.of("--data", data.toString()));
    options = ServerStorage.chosen(given);
    server = OrreryProcess.start(options);
    container =
        RestContainer.create(
            Rest.to(server), "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    container.put("before", "\"k\"").expect(201);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      assertEquals(List.of(), server.complaints());
      server.close();
    }
  }

  /** With a folder of its own, and with other options in place of those that the server has. */
  private List<String> other(String... changes) {
    var other = new ArrayList<>(options);
    other.set(other.indexOf("--data") + 1, folder.toString());
    for (int i = 0; i < changes.length; i += 2) {
      int at = other.indexOf(changes[i]);
      if (at < 0) {
        other.addAll(List.of(changes[i], changes[i + 1]));
      } else {
        other.set(at + 1, changes[i + 1]);
      }
    }
    return other;
  }

  private static String key(String words) {
    return Base64.getEncoder()
        .encodeToString((words + " of nobody else").getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(OrreryProcess late, String... words) {
    assertEquals(2, late.await(), late::log);
    for (String word : words) {
      assertTrue(late.log().contains(word), late::log);
    }
    container.read("before", "\"k\"").expect(200);
    String id = SharedServer.freshName("after");
    container.put(id, "\"k\"").expect(201);
    container.read(id, "\"k\"").expect(200);
  }

  @Test
  void ofAnotherAccount() {
    refused(
        OrreryProcess.launch(other("--key", key("mine"), "--keys-secondary", key("mine too"))),
        "belongs to an account with other keys; give a key that its servers have");
  }

  @Test
  void withAnotherKey() {
    refused(
        OrreryProcess.launch(other("--keys-secondary", key("mine"))),
        "differs from the node",
        "--keys-secondary (here fingerprint");
  }

  @Test
  void withOtherLimits() {
    refused(
        OrreryProcess.launch(other("--limits", "today", "--consistency", "Strong")),
        "--limits (here today, there seeds)",
        "--consistency (here strong, there session)",
        "give all nodes the same");
  }

  @Test
  void ofAnotherVersion() throws IOException {
    refused(
        OrreryProcess.launchFrom(newer(), other()), "version (here 99.1, there", "give all nodes");
  }

  /** The server's jar under another version. */
  private Path newer() throws IOException {
    Path jar = Files.createTempFile(folder, "server-", ".jar");
    try (var old = new JarFile(OrreryProcess.jar().toFile())) {
      var manifest = new Manifest(old.getManifest());
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "99.1.0");
      try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
        for (var entry :
            old.stream().filter(each -> !each.getName().endsWith("MANIFEST.MF")).toList()) {
          out.putNextEntry(new ZipEntry(entry.getName()));
          old.getInputStream(entry).transferTo(out);
          out.closeEntry();
        }
      }
    }
    return jar;
  }
}
