package io.orrery.fuzz;

import io.orrery.nosql.FuzzedNosql;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads session tokens; a grammar by a regular expression takes and understands the same. */
final class SessionTarget implements Target {
  /** Possessive, so that it is linear: rid, range, version or LSN, LSN, LSNs of regions. */
  private static final Pattern PART =
      Pattern.compile(
          "(?s)(?:[^:]++:)?([^:]++):(-?+[0-9]{1,18}+)(?:#(-?+[0-9]{1,18}+)(?!=))?+"
              + "(?:#[0-9]{1,18}+=-?+[0-9]{1,18}+)*+");

  @Override
  public void run(byte[] input) {
    String header = Utf8.latin1(input);
    Map<String, Long> lsns = FuzzedNosql.sessionToken(header);
    Map<String, Long> expected = expected(header);
    Finding.unlessEqual(expected, lsns, "LSNs");
    if (lsns != null && lsns.keySet().stream().allMatch(range -> range.equals(range.strip()))) {
      var written = new StringBuilder();
      lsns.forEach((range, lsn) -> written.append(',').append(range).append(":-1#").append(lsn));
      Finding.unlessEqual(
          lsns, FuzzedNosql.sessionToken(written.substring(1)), "written and read again");
    }
  }

  private static @Nullable Map<String, Long> expected(String header) {
    var lsns = new HashMap<String, Long>();
    Matcher matcher = PART.matcher("");
    for (String part : header.split(",", -1)) {
      if (!matcher.reset(part.strip()).matches()) {
        return null;
      }
      String lsn = matcher.group(3) == null ? matcher.group(2) : matcher.group(3);
      lsns.merge(matcher.group(1), Long.valueOf(lsn), Math::max);
    }
    return lsns;
  }
}
