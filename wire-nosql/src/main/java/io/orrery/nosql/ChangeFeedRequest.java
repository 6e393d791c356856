package io.orrery.nosql;

import io.orrery.http.AsciiNumbers;
import io.orrery.http.HttpDate;
import io.orrery.operation.ChangeStart;
import io.orrery.operation.Keyword;
import io.orrery.operation.Operation;
import io.orrery.operation.Ticks;

/** Reads a request for changes: its mode and where it begins are told by headers. */
final class ChangeFeedRequest {
  private static final String LATEST = "incremental feed";
  private static final String ALL_VERSIONS = "full-fidelity feed";

  private ChangeFeedRequest() {}

  static Operation read(NosqlRequest request) {
    return new Operation.ReadChanges(
        NosqlCodec.container(request),
        NosqlCodec.feedScope(request),
        start(request),
        NosqlCodec.page(request).maxItems(),
        isAllVersions(request));
  }

  /** Whether rows tell what was done, beside the item. */
  static boolean isEnveloped(NosqlRequest request) {
    return request.has(NosqlHeaders.CHANGE_FORMAT) || isAllVersions(request);
  }

  private static boolean isAllVersions(NosqlRequest request) {
    String mode = Keyword.lower(String.valueOf(request.header(NosqlHeaders.A_IM)));
    if (!mode.equals(LATEST) && !mode.equals(ALL_VERSIONS)) {
      throw RefusedRequest.bad("The value of A-IM is 'Incremental Feed' or 'Full-Fidelity Feed'.");
    }
    return mode.equals(ALL_VERSIONS);
  }

  /** The Java SDK sends the time with every continuation, where it holds as before. */
  private static ChangeStart start(NosqlRequest request) {
    String etag = request.header(NosqlHeaders.IF_NONE_MATCH);
    String since = request.header(NosqlHeaders.IF_MODIFIED_SINCE);
    if (etag != null) {
      return etag.equals("*")
          ? new ChangeStart.Now()
          : new ChangeStart.After(lsn(etag), since == null ? 0 : ticks(since));
    }
    return since == null ? new ChangeStart.Beginning() : new ChangeStart.Time(ticks(since));
  }

  private static long ticks(String since) {
    long seconds = HttpDate.seconds(since);
    if (seconds == HttpDate.NONE) {
      throw RefusedRequest.bad("If-Modified-Since is not a date in the form of RFC 1123.");
    }
    return seconds * Ticks.PER_SECOND;
  }

  private static long lsn(String etag) {
    String bare =
        etag.startsWith("\"") && etag.endsWith("\"") && etag.length() > 1
            ? etag.substring(1, etag.length() - 1)
            : etag;
    try {
      long lsn = AsciiNumbers.parseLong(bare);
      if (lsn >= 0) {
        return lsn;
      }
    } catch (NumberFormatException notOurs) {
      // Told below.
    }
    throw RefusedRequest.bad("If-None-Match is not a continuation of the change feed.");
  }
}
