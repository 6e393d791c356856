package io.orrery.nosql;

import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Operation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client says it has seen: {@code range:version#lsn} for one range after the other, with the
 * LSNs of regions behind it where there are any, or plainly {@code range:lsn}. A container's rid
 * may stand before the range.
 */
final class SessionToken {
  /** A long has 19 digits at most, and every number of 18 fits. */
  private static final int DIGITS_MAX = 18;

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

  /** In one pass, whatever stands there: the header comes from anybody. */
  static Map<String, Long> parse(String token) {
    Map<String, Long> lsns = new HashMap<>();
    int begin = 0;
    while (begin <= token.length()) {
      int comma = token.indexOf(',', begin);
      int end = comma < 0 ? token.length() : comma;
      part(token.substring(begin, end).strip(), lsns);
      begin = end + 1;
    }
    return lsns;
  }

  private static void part(String part, Map<String, Long> lsns) {
    int colon = part.lastIndexOf(':');
    int before = part.lastIndexOf(':', colon - 1);
    // At most two colons, and something before each.
    if (colon <= before + 1 || before == 0 || (before > 0 && part.indexOf(':') != before)) {
      throw invalid();
    }
    int hash = part.indexOf('#', colon);
    long first = number(part, colon + 1, hash < 0 ? part.length() : hash);
    boolean plain = hash < 0 || isRegion(part, hash);
    int second = plain ? hash : part.indexOf('#', hash + 1);
    long lsn = plain ? first : number(part, hash + 1, second < 0 ? part.length() : second);
    for (int at = second; at >= 0; at = part.indexOf('#', at + 1)) {
      region(part, at);
    }
    lsns.merge(part.substring(before + 1, colon), lsn, Math::max);
  }

  /** Whether a region's LSN follows, and not the LSN behind a version. */
  private static boolean isRegion(String part, int hash) {
    int next = part.indexOf('#', hash + 1);
    int equals = part.indexOf('=', hash);
    return equals >= 0 && (next < 0 || equals < next);
  }

  private static void region(String part, int hash) {
    int next = part.indexOf('#', hash + 1);
    int equals = part.indexOf('=', hash);
    if (equals < 0 || part.charAt(hash + 1) == '-') {
      throw invalid();
    }
    number(part, hash + 1, equals);
    number(part, equals + 1, next < 0 ? part.length() : next);
  }

  private static long number(String part, int begin, int end) {
    int digits = begin < end && part.charAt(begin) == '-' ? begin + 1 : begin;
    if (digits >= end || end - digits > DIGITS_MAX) {
      throw invalid();
    }
    long number = 0;
    for (int i = digits; i < end; i++) {
      int digit = part.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw invalid();
      }
      number = 10 * number + digit;
    }
    return digits > begin ? -number : number;
  }

  private static RefusedRequest invalid() {
    return RefusedRequest.bad(
        "The session token is invalid: send back what a response gave in x-ms-session-token,"
            + " like 0:-1#42, several joined by commas.");
  }
}
