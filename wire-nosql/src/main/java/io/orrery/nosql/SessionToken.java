package io.orrery.nosql;

import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Operation;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client says it has seen: {@code range:version#lsn} for one range after the other, with the
 * LSNs of regions behind it where there are any, or plainly {@code range:lsn}. A container's rid
 * may stand before the range.
 */
final class SessionToken {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:[^:,]+:)?(?<range>[^:,]+):(?:-?\\d{1,18}#)?(?<lsn>-?\\d{1,18})"
              + "(?:#\\d{1,9}=-?\\d{1,18})*\\s*");

  private SessionToken() {}

  /** The operation, held to what the request's level of consistency asks for. */
  static Operation required(Operation operation, NosqlRequest request, ConsistencyLevel account) {
    ConsistencyLevel level = NosqlCodec.consistency(request, account);
    if (level.compareTo(ConsistencyLevel.SESSION) > 0) {
      return operation instanceof Operation.ReadItem read
          ? new Operation.ReadEventually(read)
          : operation;
    }
    String token = request.header(NosqlHeaders.SESSION_TOKEN);
    ContainerRef container = token == null ? null : containerRead(operation);
    return token == null || container == null
        ? operation
        : new Operation.ReadInSession(operation, container, parse(token));
  }

  /** Writes see everything anyway, and resources are the same for all. */
  private static @Nullable ContainerRef containerRead(Operation operation) {
    return switch (operation) {
      case Operation.ReadItem read -> read.scope().container();
      case Operation.ReadItemFeed feed -> feed.container();
      case Operation.ReadChanges changes -> changes.container();
      case Operation.QueryItems query -> query.container();
      default -> null;
    };
  }

  static Map<String, Long> parse(String token) {
    Map<String, Long> lsns = new HashMap<>();
    for (String part : token.split(",", -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        throw RefusedRequest.bad(
            "The session token is invalid: send back what a response gave in x-ms-session-token,"
                + " like 0:-1#42, several joined by commas.");
      }
      lsns.merge(matcher.group("range"), Long.valueOf(matcher.group("lsn")), Math::max);
    }
    return lsns;
  }
}
