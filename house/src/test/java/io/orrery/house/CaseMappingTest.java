package io.orrery.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The JDK copies a text again for each letter that becomes several in another case: a megabyte that
 * a client sends would take minutes. Only texts of bounded length are mapped.
 */
class CaseMappingTest {
  private static final Pattern MAPPING =
      Pattern.compile("(?<!\\bCharacter)(?:\\.|::)to(?:Lower|Upper)Case\\b");

  /** Programs that test and measure have no clients. */
  private static final Set<String> TOOLS = Set.of("bench", "compat", "faults", "fuzz", "model");

  /** How often each class maps texts, all of bounded length. */
  private static final Map<String, Integer> BOUNDED =
      Map.ofEntries(
          Map.entry("operation/EffectivePartitionKey", 1), // digits of a hash
          Map.entry("operation/Keyword", 2), // 64 characters
          Map.entry("query/LetterCase", 3), // a letter, or a piece of a text
          Map.entry("routing/CatalogImage", 1), // 1,024 characters
          Map.entry("routing/ManagementJson", 3), // names of constants, as those that follow
          Map.entry("routing/ReshapeLog", 1),
          Map.entry("server/Common", 1),
          Map.entry("server/Engines", 1),
          Map.entry("server/GuardMetrics", 2),
          Map.entry("wire-table/FilterParser", 1),
          Map.entry("server/Given", 2), // settings, as those that follow
          Map.entry("server/Setting", 2),
          Map.entry("wire-http/OwnHosts", 1),
          Map.entry("server/Training", 1), // what the server sends itself
          Map.entry("wire-nosql/NosqlCodec", 1)); // hexadecimal digits

  @Test
  void onlyTextsOfBoundedLengthAreMappedToAnotherCase() throws IOException {
    var found = new TreeMap<String, Integer>();
    for (Path file : Repository.javaSources()) {
      String name = Repository.nameOf(file);
      if (name.contains("/src/main/java/") && !TOOLS.contains(name.split("/", 2)[0])) {
        int times = (int) MAPPING.matcher(Files.readString(file)).results().count();
        if (times > 0) {
          String type = name.substring(name.lastIndexOf('/') + 1).replace(".java", "");
          found.put(name.split("/", 2)[0] + "/" + type, times);
        }
      }
    }
    assertEquals(new TreeMap<>(BOUNDED), found);
  }
}
