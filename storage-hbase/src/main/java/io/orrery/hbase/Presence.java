package io.orrery.hbase;

import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node writes about itself in ZooKeeper, as properties that people can read there too:
 * {@code address}, {@code build}, and {@code same.NAME} for each setting that all have in common.
 *
 * @param common by the name of the setting
 */
record Presence(Member member, Map<String, String> common) {
  private static final String ADDRESS = "address";
  private static final String BUILD = "build";
  private static final String SAME = "same.";

  static byte[] written(Joining joining) {
    var lines = new Properties();
    lines.setProperty(ADDRESS, joining.address());
    lines.setProperty(BUILD, joining.build());
    joining.common().forEach((name, value) -> lines.setProperty(SAME + name, value));
    var text = new StringWriter();
    try {
      lines.store(text, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Nobody for what no node of ours has written. */
  static Optional<Presence> read(long number, byte[] data) {
    var lines = new Properties();
    try {
      lines.load(new StringReader(new String(data, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
    String address = lines.getProperty(ADDRESS);
    if (address == null) {
      return Optional.empty();
    }
    var common = new TreeMap<String, String>();
    for (String name : lines.stringPropertyNames()) {
      if (name.startsWith(SAME)) {
        common.put(name.substring(SAME.length()), lines.getProperty(name));
      }
    }
    var member = new Member(number, address, lines.getProperty(BUILD, "unknown"));
    return Optional.of(new Presence(member, common));
  }

  /** What this node does not have in common with one that wants to join, in words; or nothing. */
  String differences(Joining joining) {
    var names = new TreeSet<>(common.keySet());
    names.addAll(joining.common().keySet());
    var found = new StringBuilder();
    for (String name : names) {
      String there = common.getOrDefault(name, "nothing");
      String here = joining.common().getOrDefault(name, "nothing");
      if (!here.equals(there)) {
        found.append(found.isEmpty() ? "" : ", ");
        found.append(name + " (here " + here + ", there " + there + ")");
      }
    }
    return found.toString();
  }
}
