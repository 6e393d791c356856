package io.orrery.nosql;

import io.orrery.operation.Refusal;
import io.orrery.value.KeyValues;
import java.util.Locale;

/** Why a request was throttled, for the header that tells it. */
final class ThrottledBy {
  private ThrottledBy() {}

  /** Which range it was, what it has, and which key uses most of it: ASCII, as headers are. */
  static String text(Refusal.Hint hint) {
    if (hint.unitsPerSecond() == 0) {
      return "range=" + hint.rangeId() + ";waitingWrites=full";
    }
    String range =
        String.format(Locale.ROOT, "range=%s;budget=%.2f", hint.rangeId(), hint.unitsPerSecond());
    return hint.hottest() == null
        ? range
        : String.format(
            Locale.ROOT,
            "%s;hottestKey=%s;hottestShare=%.2f",
            range,
            KeyValues.text(hint.hottest()),
            hint.hottestShare());
  }
}
