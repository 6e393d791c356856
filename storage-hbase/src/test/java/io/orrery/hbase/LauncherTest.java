package io.orrery.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which jars the launcher gives to the server, shown by a JDK that only repeats its class path. */
class LauncherTest {
  private static final Path LAUNCHER =
      Path.of(System.getProperty("orrery.root", "..")).resolve("orrery");
  private static final String SERVER = "server/target/server-1.jar:server/target/lib/*";

  /** Where both have a jar, the server's own is met first. */
  private static final String WITH_HBASE =
      SERVER + ":storage-hbase/target/storage-hbase-1.jar:storage-hbase/target/lib/*";

  @TempDir Path home;

  @BeforeEach
  void makeHome() throws Exception {
    Files.copy(LAUNCHER, home.resolve("orrery"));
    for (String room : List.of("server", "storage-hbase")) {
      Path target = home.resolve(room + "/target");
      Files.createDirectories(target.resolve("lib"));
      Files.createFile(target.resolve(room + "-1.jar"));
      Files.createFile(target.resolve("built"));
    }
    Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    Files.writeString(
        java,
        """
        #!/bin/sh
        while [ "$1" != -cp ]; do shift; done
        echo "$2"
        """);
    if (!java.toFile().setExecutable(true)) {
      throw new IllegalStateException("no right to make a file executable");
    }
  }

  @Test
  void otherEnginesNeedNoMoreThanTheServer() throws Exception {
    assertEquals(SERVER, classPath(Map.of(), "serve"));
    assertEquals(SERVER, classPath(Map.of(), "serve", "--engine", "rocksdb"));
    assertEquals(SERVER, classPath(Map.of("ORRERY_ENGINE", "hbase"), "status"));
  }

  @Test
  void hbaseIsChosenByOptionVariableAndFile() throws Exception {
    assertEquals(WITH_HBASE, classPath(Map.of(), "serve", "--engine", "hbase"));
    assertEquals(WITH_HBASE, classPath(Map.of(), "serve", "--engine=hbase", "--port", "0"));
    assertEquals(WITH_HBASE, classPath(Map.of(), "migrate", "--data", "data"));
    assertEquals(WITH_HBASE, classPath(Map.of("ORRERY_ENGINE", "hbase"), "serve"));
    String file = settings("engine: \"hbase\"  # beyond one machine");
    assertEquals(WITH_HBASE, classPath(Map.of(), "serve", "--config", file));
    assertEquals(WITH_HBASE, classPath(Map.of(), "serve", "--config=" + file));
    assertEquals(WITH_HBASE, classPath(Map.of("ORRERY_CONFIG", file), "serve"));
  }

  @Test
  void optionWinsOverVariableAndVariableOverFile() throws Exception {
    String file = settings("engine: hbase");
    var memory = Map.of("ORRERY_ENGINE", "memory");
    assertEquals(SERVER, classPath(memory, "serve", "--config", file));
    assertEquals(WITH_HBASE, classPath(memory, "serve", "--engine", "hbase"));
    assertEquals(SERVER, classPath(Map.of(), "serve", "--config", settings("host: hbase")));
  }

  private String settings(String text) throws Exception {
    return Files.writeString(Files.createTempFile(home, "orrery", ".yaml"), text + "\n").toString();
  }

  private String classPath(Map<String, String> environment, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("sh", home.resolve("orrery").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("ORRERY_"));
    builder.environment().putAll(environment);
    builder.environment().put("ORRERY_AOT", "off");
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.strip().replace(home.toRealPath() + "/", "");
  }
}
