package io.orrery.nosql;

import io.orrery.http.AsciiOut;
import io.orrery.http.JsonText;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.StoredItem;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the ends of several operations as one answer. */
final class StepRows {
  private StepRows() {}

  static void put(AsciiOut out, List<Outcome.Step> steps, OwnerNames names, NosqlRequest request) {
    boolean allMinimal = request.wantsLittle();
    out.put('[');
    for (int i = 0; i < steps.size(); i++) {
      if (i > 0) {
        out.put(',');
      }
      put(out, steps.get(i), allMinimal || request.briefSteps().get(i), names, request);
    }
    out.put(']');
  }

  private static void put(
      AsciiOut out, Outcome.Step step, boolean minimal, OwnerNames names, NosqlRequest request) {
    switch (step.outcome()) {
      case Outcome.ItemCreated(var item) -> item(out, 201, step, item, minimal, names);
      case Outcome.ItemReplaced(var item) -> item(out, 200, step, item, minimal, names);
      case Outcome.ItemRead(var item) -> item(out, 200, step, item, false, names);
      case Outcome.ItemDeleted() -> bare(out, 204, 0, step, null);
      case Outcome.NotModified(var etag) -> bare(out, 304, 0, step, etag.text());
      case Refusal refusal -> {
        NosqlError error = NosqlErrors.of(refusal, request);
        begin(out, error.status(), error.substatus(), step);
        if (refusal instanceof Refusal.Throttled(long retryAfterMillis, var hint)) {
          out.put(",\"retryAfterMilliseconds\":").number(retryAfterMillis);
        }
        out.put('}');
      }
      default ->
          throw new IllegalStateException("A batch has no step that ends as " + step.outcome());
    }
  }

  private static void item(
      AsciiOut out,
      int status,
      Outcome.Step step,
      StoredItem item,
      boolean minimal,
      OwnerNames names) {
    String etag = item.etag().text();
    if (minimal || !item.isShown()) {
      bare(out, status, 0, step, etag);
      return;
    }
    begin(out, status, 0, step);
    out.put(",\"eTag\":").put(JsonText.quote(etag)).put(",\"resourceBody\":");
    byte[] stored = item.body().bytes().array();
    out.put(stored, stored.length - 1);
    SystemProperties.putTail(out, names, item, etag);
    out.put('}');
  }

  private static void bare(
      AsciiOut out, int status, int substatus, Outcome.Step step, @Nullable String etag) {
    begin(out, status, substatus, step);
    if (etag != null) {
      out.put(",\"eTag\":").put(JsonText.quote(etag));
    }
    out.put('}');
  }

  private static void begin(AsciiOut out, int status, int substatus, Outcome.Step step) {
    out.put("{\"statusCode\":").number(status);
    out.put(",\"subStatusCode\":").number(substatus);
    out.put(",\"requestCharge\":").put(String.format(Locale.ROOT, "%.2f", step.charge().units()));
  }
}
