package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java SDK runs on the libraries that it was released with, not on the server's. */
class ClientVersionsTest {
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.]*?)(?:-[a-z][\\w-]*)?\\.jar");

  @Test
  void classPathHoldsTheClientsOwnVersions() {
    expect("azure-cosmos", "4.81.0");
    expect("netty-tcnative.*", "2.0.75.Final");
    expect("netty-(?!tcnative).*", "4.1.132.Final");
    expect("jackson-(core|databind|annotations)", "2.18.6");
  }

  @Test
  void nothingOfTheServerIsOnTheClassPath() {
    assertEquals(
        List.of(),
        classPath().filter(jar -> jar.contains("rocksdb") || jar.contains("wire-nosql")).toList());
  }

  private static void expect(String library, String version) {
    List<String> versions =
        classPath()
            .map(JAR::matcher)
            .filter(Matcher::matches)
            .filter(jar -> jar.group(1).matches(library))
            .map(jar -> jar.group(2))
            .distinct()
            .toList();
    assertTrue(!versions.isEmpty(), library);
    assertEquals(List.of(version), versions, library);
  }

  /** Surefire may put the jars into the manifest of one jar and names them here all the same. */
  private static java.util.stream.Stream<String> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(path.split(File.pathSeparator)).map(entry -> new File(entry).getName());
  }
}
