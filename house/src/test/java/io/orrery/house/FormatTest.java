package io.orrery.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every source file looks as the formatter would write it; {@code -Dformat=write} writes it so. */
class FormatTest {
  private static final boolean WRITE = "write".equals(System.getProperty("format"));

  @Test
  void sourcesAreFormatted() throws IOException {
    List<String> untidy =
        Repository.javaSources().parallelStream()
            .filter(file -> !isFormatted(file))
            .map(Repository::nameOf)
            .toList();
    assertEquals(List.of(), untidy, "mvn -pl house -am test -Dformat=write mends these");
  }

  private static boolean isFormatted(Path file) {
    try {
      String source = Files.readString(file);
      String wanted = new Formatter().formatSourceAndFixImports(source);
      if (WRITE && !wanted.equals(source)) {
        Files.writeString(file, wanted);
        return true;
      }
      return wanted.equals(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatterException e) {
      throw new IllegalArgumentException(file.toString(), e);
    }
  }
}
