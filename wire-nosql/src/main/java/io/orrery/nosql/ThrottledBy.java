package io.orrery.nosql;

import io.orrery.operation.Answer;
import io.orrery.operation.Refusal;
import io.orrery.value.KeyValues;
import java.util.Locale;

/** Why a request was throttled, for the header that tells it. */
final class ThrottledBy {
  private ThrottledBy() {}

  /** The same answer without partition keys: a resource token does not show those of others. */
  static Answer withoutKeys(Answer answer) {
    return answer.outcome() instanceof Refusal.Throttled(long retryAfterMillis, Refusal.Hint hint)
        ? new Answer(
            new Refusal.Throttled(
                retryAfterMillis, new Refusal.Hint(hint.rangeId(), hint.unitsPerSecond(), null, 0)),
            answer.charge(),
            answer.owner(),
            answer.position())
        : answer;
  }

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
