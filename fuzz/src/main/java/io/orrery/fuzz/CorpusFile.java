package io.orrery.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * Inputs in a text file, one on a line: printable ASCII as it is, a backslash doubled, every other
 * byte as {@code \hh}. Lines that begin with # are remarks.
 */
final class CorpusFile {
  private CorpusFile() {}

  /** The inputs; none when there is no file. */
  static List<byte[]> read(Path file) throws IOException {
    var inputs = new ArrayList<byte[]>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
        if (!line.startsWith("#") && !line.isEmpty()) {
          inputs.add(bytes(line));
        }
      }
    }
    return inputs;
  }

  /** Sorted, so that a new version differs by the inputs that are new. */
  static void write(Path file, Collection<byte[]> inputs) throws IOException {
    Files.write(file, inputs.stream().map(CorpusFile::line).sorted().distinct().toList());
  }

  static String line(byte[] input) {
    var line = new StringBuilder();
    for (int i = 0; i < input.length; i++) {
      char c = (char) (input[i] & 0xFF);
      if (c == '\\') {
        line.append("\\\\");
      } else if (c < ' ' || c > '~' || (i == 0 && c == '#')) {
        line.append('\\').append(HexFormat.of().toHexDigits(input[i]));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  static byte[] bytes(String line) {
    var out = new ByteArrayOutputStream(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\\') {
        out.write(c);
      } else if (line.charAt(i + 1) == '\\') {
        out.write(c);
        i++;
      } else {
        out.write(HexFormat.fromHexDigits(line, i + 1, i + 3));
        i += 2;
      }
    }
    return out.toByteArray();
  }
}
