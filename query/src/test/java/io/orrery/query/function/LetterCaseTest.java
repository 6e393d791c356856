package io.orrery.query.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Letters become what the JDK makes of them, at a cost that grows with the text alone. */
class LetterCaseTest {
  private static final int CAPITAL_SIGMA = 0x3A3;
  private static final int RUN = 100;

  @Test
  void everyLetterOfALongTextBecomesWhatItBecomesAlone() {
    for (int first = 0; first <= Character.MAX_CODE_POINT; first += RUN) {
      StringBuilder text = new StringBuilder();
      StringBuilder upper = new StringBuilder();
      StringBuilder lower = new StringBuilder();
      for (int i = first; i < first + RUN && i <= Character.MAX_CODE_POINT; i++) {
        boolean surrogate = i >= Character.MIN_SURROGATE && i <= Character.MAX_SURROGATE;
        if (i != CAPITAL_SIGMA && !surrogate) {
          String letter = Character.toString(i);
          text.append(letter);
          upper.append(letter.toUpperCase(Locale.ROOT));
          lower.append(letter.toLowerCase(Locale.ROOT));
        }
      }
      assertEquals(upper.toString(), LetterCase.upper(text.toString(), Work.UNCOUNTED));
      assertEquals(lower.toString(), LetterCase.lower(text.toString(), Work.UNCOUNTED));
    }
  }

  @Test
  void halvesOfSurrogatePairsStayAsTheyAre() {
    for (String odd : List.of("\uD801", "\uDC28", "\uDC28\uD801", "\uD801\uD801\uDC28")) {
      String text = "a".repeat(63) + odd + "b".repeat(70) + odd;
      assertEquals(text.toUpperCase(Locale.ROOT), LetterCase.upper(text, Work.UNCOUNTED));
      assertEquals(text.toLowerCase(Locale.ROOT), LetterCase.lower(text, Work.UNCOUNTED));
    }
  }

  @Test
  void lettersThatBecomeSeveralAreCountedOnce() {
    for (String letter : List.of("\u0130", "\u00DF", "\uFB03", "\u03A3", "a")) {
      long small = steps(letter.repeat(1 << 14));
      long large = steps(letter.repeat(1 << 20));
      assertTrue(large <= 64 * small, letter + " took " + small + " and " + large + " steps");
    }
  }

  private static long steps(String text) {
    var counted = new AtomicLong();
    var work =
        new Work() {
          @Override
          public QueryClock clock() {
            throw new IllegalStateException("letters need no clock");
          }

          @Override
          public void steps(long count) {
            counted.addAndGet(count);
          }

          @Override
          public void take(long bytes) {
            assertTrue(bytes < 32 << 20, "memory beyond a small multiple of the text");
          }
        };
    String folded = LetterCase.folded(text, work);
    assertTrue(folded.length() >= text.length());
    return counted.get();
  }
}
