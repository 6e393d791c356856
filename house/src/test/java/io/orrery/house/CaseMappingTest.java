package io.orrery.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The JDK copies a text again for each letter that becomes several in another case: a megabyte that
 * a client sends would take minutes. Only texts of bounded length are mapped.
 */
class CaseMappingTest {
  private static final Pattern MAPPING =
      Pattern.compile("(?<!\\bCharacter)(?:\\.|::)to(?:Lower|Upper)Case\\b");

  /** Programs that test and measure serve nobody. */
  private static final Set<String> TOOLS = Set.of("bench", "compat", "faults", "fuzz", "model");

  /** Where texts are mapped, and what bounds them. */
  private static final Map<String, String> BOUNDED =
      Map.ofEntries(
          Map.entry("CatalogImage", "as long as an id may be"),
          Map.entry("Common", "names of constants"),
          Map.entry("EffectivePartitionKey", "digits of a hash"),
          Map.entry("Engines", "names of constants"),
          Map.entry("FilterParser", "names of constants"),
          Map.entry("Given", "settings, names of constants"),
          Map.entry("GuardMetrics", "names of constants"),
          Map.entry("Keyword", "as long as words of protocols and languages are"),
          Map.entry("LetterCase", "a letter, or a piece of a text"),
          Map.entry("ManagementJson", "names of constants"),
          Map.entry("NosqlCodec", "hexadecimal digits"),
          Map.entry("OwnHosts", "names of the settings"),
          Map.entry("ReshapeLog", "names of constants"),
          Map.entry("Setting", "names of settings"),
          Map.entry("Training", "what the server sends itself"));

  @Test
  void onlyTextsOfBoundedLengthAreMappedToAnotherCase() throws IOException {
    var found = new TreeSet<String>();
    for (Path file : Repository.javaSources()) {
      String name = Repository.nameOf(file);
      if (name.contains("/src/main/java/")
          && !TOOLS.contains(name.split("/", 2)[0])
          && MAPPING.matcher(Files.readString(file)).find()) {
        found.add(name.substring(name.lastIndexOf('/') + 1).replace(".java", ""));
      }
    }
    assertEquals(new TreeSet<>(BOUNDED.keySet()), found);
  }
}
