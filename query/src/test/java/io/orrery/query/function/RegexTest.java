package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns are bounded by what they take before they run. */
class RegexTest {
  private static Value match(String text, String pattern) {
    return Regex.match(new Value[] {Value.of(text), Value.of(pattern)}, Work.UNCOUNTED);
  }

  @Test
  void compiledPatternsAreKeptByLength() {
    for (int i = 0; i < 300; i++) {
      assertEquals(Value.FALSE, match("b", "a".repeat(9_000) + i));
      assertTrue(Regex.cachedChars() <= 128 << 10);
    }
    assertThrows(QueryRefused.class, () -> match("a", "a".repeat(10_241)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?:(?:^{999}){999}){999}",
        "(?:^{5000}[(]{0}){5000}",
        "(?:^{5000}\\Q(\\E{0}){5000}",
        "(?:^{5000}#(\n){5000}",
        "(?:^{5000}[]({0}]{0}){5000}"
      })
  void countsWithinCountsAreRefused(String pattern) {
    assertThrows(QueryRefused.class, () -> match("b", pattern));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?:^|^)",
        "(?:|)",
        "^?",
        "(?:a*|b*)",
        "(?:(?=a)|(?!b))",
        "(?i:^|\\A)",
        "(?<name>^|\\G)",
        "(?:a{0,2}|[^]]*)",
        "(?:\\Qa|b\\E?|^)",
        "(?: ^ | ^ )"
      })
  void choicesThatLookAtNothingAreRefused(String choice) {
    assertThrows(QueryRefused.class, () -> match("", choice.repeat(60) + "\\b"));
    assertThrows(QueryRefused.class, () -> match("", "(?x)" + choice.repeat(60) + "#\n\\b"));
    assertThrows(QueryRefused.class, () -> match("", "(?:" + choice + "){60}\\b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^(?:(?:https?|ftp)://)?(?:\\S+(?::\\S*)?@)?"
            + "[a-z0-9]+(?:-[a-z0-9]+)*(?:\\.[a-z]{2,})+(?::\\d{2,5})?(?:/\\S*)?$",
        "^(a|b)?(c|d)?(e|f)?(g|h)?(i|j)?(k|l)?(m|n)?(o|p)?(q|r)?(s|t)?(u|v)?(w|x)?$.",
        "^\\s*(\\d+(\\.\\d*)?|\\.\\d+)\\s*([eE][-+]?\\d+)?\\s*$",
        "(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^A-Za-z0-9]).{8,}"
      })
  void usualChoicesAreTaken(String pattern) {
    assertEquals(Value.FALSE, match("-", pattern));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        ".{1,100}b.{1,200}|^\\d{4}-\\d{2}-\\d{2}(T(\\d{2}:){2}\\d{2})?$",
        "\\x{20000}|\\p{Lu}{2,1000}"
      })
  void usualCountsAreTaken(String pattern) {
    assertEquals(Value.FALSE, match("-", pattern));
  }
}
