package io.orrery.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Index entries as many and as long as Orrery's, for the items of a benchmark: a term is the hash
 * of a path and a value whose bytes sort as values do. They are found once, at the start, so that
 * the bare server pays for writing them only.
 */
final class BareTerms {
  private static final int VARIANTS = 256;
  private static final Pattern MEMBER =
      Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|([-\\d.]+)|(true|false)|([\\[{]))");
  private static final Pattern ELEMENT = Pattern.compile("[\\[,]\"([^\"]*)\"(?=[,\\]])");
  private static final byte TRUTH = 3;
  private static final byte NUMBER = 4;
  private static final byte TEXT = 5;
  private static final byte COMPOUND = 6;

  private final List<List<byte[]>> fixed = new ArrayList<>();
  private final Set<String> paths = new LinkedHashSet<>(List.of("id", "pk", "_ts"));

  /**
   * Finds the terms.
   *
   * @param everything whether all properties are indexed, or only what always is
   */
  BareTerms(Documents documents, boolean everything) {
    for (int variant = 0; variant < VARIANTS; variant++) {
      String body = new String(documents.body(variant), StandardCharsets.US_ASCII);
      var terms = new ArrayList<byte[]>();
      terms.add(number("_ts", 1_700_000_000));
      if (everything) {
        addMembers(body, terms);
      }
      fixed.add(terms);
    }
  }

  private void addMembers(String body, List<byte[]> terms) {
    Matcher members = MEMBER.matcher(body);
    while (members.find()) {
      String path = members.group(1);
      if (path.equals("id") || path.equals("pk")) {
        continue;
      }
      paths.add(path);
      if (members.group(2) != null) {
        terms.add(text(path, members.group(2)));
      } else if (members.group(3) != null) {
        terms.add(number(path, Double.parseDouble(members.group(3))));
      } else if (members.group(4) != null) {
        terms.add(start(path, TRUTH, 0).array());
      } else {
        terms.add(start(path, COMPOUND, 1).array());
      }
    }
    Matcher elements = ELEMENT.matcher(body.substring(body.indexOf('['), body.indexOf(']') + 1));
    while (elements.find()) {
      terms.add(text("[]", elements.group(1)));
    }
  }

  /** The terms of an item that do not depend on its id and key. */
  List<byte[]> fixed(long number) {
    return fixed.get((int) (number % VARIANTS));
  }

  /** How many paths have a count of their items. */
  Set<String> paths() {
    return paths;
  }

  static byte[] text(String path, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    return start(path, TEXT, bytes.length + 2).put(bytes).array();
  }

  static byte[] number(String path, double value) {
    return start(path, NUMBER, 8).putLong(Double.doubleToLongBits(value) ^ Long.MIN_VALUE).array();
  }

  /** A number in place of the hash of a path. */
  static long hash(String path) {
    return path.hashCode() * 0x9E3779B97F4A7C15L;
  }

  private static ByteBuffer start(String path, byte type, int valueBytes) {
    return ByteBuffer.allocate(9 + valueBytes).putLong(hash(path)).put(type);
  }
}
