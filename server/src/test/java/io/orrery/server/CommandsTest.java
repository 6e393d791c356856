package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  @Test
  void helpListsTheCommands() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().contains("serve"), out::toString);
    assertTrue(out.toString().contains("version"), out::toString);
  }

  @Test
  void noCommandShowsTheHelp() {
    assertEquals(0, run());
    assertTrue(out.toString().contains("Usage: orrery"), out::toString);
  }

  @Test
  void helpOfServeShowsEveryOptionWithItsDefault() {
    assertEquals(0, run("serve", "--help"));
    for (Setting setting : Setting.values()) {
      setting.options().forEach(name -> assertTrue(out.toString().contains(name), name));
      assertTrue(out.toString().contains(setting.standard()), setting.standard());
    }
  }

  @Test
  void unknownOptionsAndCommandsAreRefused() {
    assertEquals(2, run("serve", "--prot", "1"));
    assertTrue(err.toString().contains("--prot"), err::toString);
    assertEquals(2, run("server"));
  }

  @Test
  void badValueEndsWithItsReason() {
    assertEquals(2, run("keys", "--data", ""));
    assertTrue(err.toString().startsWith("orrery: data: '' is refused"), err::toString);
  }

  @Test
  void whatTheLauncherStartsIsLeftToIt() {
    for (String command : new String[] {"bench", "faults", "dev-cluster"}) {
      assertEquals(2, run(command));
      assertTrue(err.toString().contains("./orrery " + command), err::toString);
    }
  }

  @Test
  void migrationWithoutSourceOrTargetIsRefused() {
    assertEquals(2, run("migrate", "--data", folder.toString()));
    assertTrue(err.toString().contains("say where to: --hbase-zookeeper"), err::toString);
    String absent = folder.resolve("absent").toString();
    assertEquals(2, run("migrate", "--data", absent, "--hbase-zookeeper", "localhost:1"));
    assertTrue(err.toString().contains("holds no data of the engine rocksdb"), err::toString);
    assertFalse(Files.exists(Path.of(absent)));
  }

  @Test
  void versionIsOneLine() {
    assertEquals(0, run("version"));
    assertTrue(out.toString().startsWith("orrery "), out::toString);
  }

  @Test
  void keysOfAnEmptyDirectoryAreRefused() {
    assertEquals(2, run("keys", "--data", folder.toString()));
    assertTrue(err.toString().contains("holds no keys yet"), err::toString);
  }

  @Test
  void keysAreThoseOfTheDirectory() {
    Map<KeyName, String> kept = KeyRing.keptIn(DataDirectory.keys(folder));
    assertEquals(0, run("keys", "--data", folder.toString()));
    assertEquals(KeyRing.text(kept), out.toString());
  }

  @Test
  void keysThatFollowFromTheFileAreShown() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("orrery.yaml"),
            """
            engine: hbase
            hbase: {zookeeper: 'a:1'}
            keys: {primary: cHJpbWFyeSBrZXkgb2YgYSB0ZXN0}
            """);
    assertEquals(0, run("keys", "--config", file.toString(), "--data", folder.toString()));
    assertTrue(out.toString().startsWith("primary: cHJpbWFyeSBrZXkgb2YgYSB0ZXN0\n"), out::toString);
    assertEquals(4, out.toString().lines().count());
  }

  private int run(String... arguments) {
    return Commands.with(Map.of())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
