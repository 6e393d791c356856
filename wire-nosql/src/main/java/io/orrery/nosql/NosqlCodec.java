package io.orrery.nosql;

import io.orrery.http.AsciiNumbers;
import io.orrery.http.Percent;
import io.orrery.operation.Body;
import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Etag;
import io.orrery.operation.FeedScope;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.KeyValues;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads paths and headers of a request into the words of the house. */
final class NosqlCodec {
  /** Rows may be as short as a digit, and each takes time to be written. */
  private static final int PAGE_ITEMS_MAX = 100_000;

  private NosqlCodec() {}

  static DatabaseRef database(NosqlRequest request) {
    return new DatabaseRef(request.path().name(0));
  }

  static ContainerRef container(NosqlRequest request) {
    return new ContainerRef(
        database(request), request.path().name(1), request.header(NosqlHeaders.INTENDED_RID));
  }

  static ItemRef item(NosqlRequest request) {
    String name = request.path().name(2);
    return request.path().namesItemByRid() ? new ItemRef.ByRid(name) : new ItemRef.ById(name);
  }

  static ItemScope itemScope(NosqlRequest request) {
    return new ItemScope(container(request), partitionKey(request));
  }

  static @Nullable PartitionKey partitionKey(NosqlRequest request) {
    String header = request.header(NosqlHeaders.PARTITION_KEY);
    if (header == null) {
      return null;
    }
    if (isOnePlainString(header)) {
      return PartitionKey.of(header.substring(2, header.length() - 2));
    }
    String text = Percent.utf8(header);
    try {
      if (text != null) {
        return KeyValues.parse(text);
      }
    } catch (MalformedBody notOne) {
      // Told below, like broken UTF-8.
    }
    throw RefusedRequest.bad("Partition key " + Percent.forHeader(header) + " is invalid.");
  }

  /** The usual key is one string without escapes: it needs no parser. */
  private static boolean isOnePlainString(String header) {
    int last = header.length() - 1;
    if (last < 3 || !header.startsWith("[\"") || !header.endsWith("\"]")) {
      return false;
    }
    for (int i = 2; i < last - 1; i++) {
      char c = header.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  /** If-Match, otherwise If-None-Match. */
  static Precondition precondition(NosqlRequest request) {
    return precondition(
        request.header(NosqlHeaders.IF_MATCH), request.header(NosqlHeaders.IF_NONE_MATCH));
  }

  static Precondition precondition(@Nullable String match, @Nullable String noneMatch) {
    if (match != null) {
      return match.equals("*")
          ? new Precondition.Exists()
          : new Precondition.EtagMatches(etag(match));
    }
    if (noneMatch != null) {
      return noneMatch.equals("*")
          ? new Precondition.Absent()
          : new Precondition.EtagDiffers(etag(noneMatch));
    }
    return Precondition.NONE;
  }

  /** Some clients leave the quotes away. */
  static Etag etag(String header) {
    return new Etag(header.startsWith("\"") ? header : "\"" + header + "\"");
  }

  static PageRequest page(NosqlRequest request) {
    String continuation = request.header(NosqlHeaders.CONTINUATION);
    int maxItems = maxItems(request.header(NosqlHeaders.MAX_ITEM_COUNT));
    return maxItems < 0 && continuation == null
        ? PageRequest.FIRST
        : new PageRequest(maxItems, continuation);
  }

  private static int maxItems(@Nullable String header) {
    if (header == null) {
      return -1;
    }
    int count = number(header, NosqlHeaders.MAX_ITEM_COUNT);
    if (count < -1) {
      throw RefusedRequest.bad("Invalid value for request header x-ms-max-item-count.");
    }
    // The service takes 0 for its own choice.
    return count == 0 ? -1 : Math.min(count, PAGE_ITEMS_MAX);
  }

  static FeedScope feedScope(NosqlRequest request) {
    PartitionKey key = partitionKey(request);
    if (key != null) {
      return new FeedScope.OfKey(key);
    }
    String range = request.header(NosqlHeaders.RANGE_ID);
    if (range == null) {
      return new FeedScope.Whole();
    }
    // Also written with the container's rid before a comma.
    String id = range.substring(range.lastIndexOf(',') + 1);
    return new FeedScope.OfRange(id, partOfRange(request));
  }

  private static @Nullable EpkRange partOfRange(NosqlRequest request) {
    String start = request.header(NosqlHeaders.START_EPK);
    String end = request.header(NosqlHeaders.END_EPK);
    if (start == null && end == null) {
      return null;
    }
    return new EpkRange(
        start == null ? EffectivePartitionKey.MIN : epk(start),
        end == null ? EffectivePartitionKey.MAX : epk(end));
  }

  static EffectivePartitionKey epk(String header) {
    if (!AsciiNumbers.isHex(header)) {
      throw RefusedRequest.bad("An effective partition key is written in hexadecimal digits.");
    }
    return new EffectivePartitionKey(header.toUpperCase(Locale.ROOT));
  }

  /** The throughput that a new database or container is to have; null when nothing is said. */
  static @Nullable Throughput throughput(NosqlRequest request) {
    String manual = request.header(NosqlHeaders.OFFER_THROUGHPUT);
    String autoscale = request.header(NosqlHeaders.OFFER_AUTOPILOT);
    if (manual != null && autoscale != null) {
      throw RefusedRequest.bad(
          "x-ms-offer-throughput and x-ms-cosmos-offer-autopilot-settings exclude each other.");
    }
    if (manual != null) {
      return new Throughput.Manual(number(manual, NosqlHeaders.OFFER_THROUGHPUT));
    }
    return autoscale == null ? null : autoscale(autoscale);
  }

  private static Throughput autoscale(String header) {
    try {
      Value settings = Json.parse(header);
      Value maximum = JsonMembers.at(settings, "maxThroughput");
      Value increment =
          JsonMembers.at(settings, "autoUpgradePolicy", "throughputPolicy", "incrementPercent");
      if (maximum instanceof Value.Int64(long units)) {
        long percent = increment instanceof Value.Int64(long given) ? given : 0;
        return new Throughput.Autoscale(Math.toIntExact(units), Math.toIntExact(percent));
      }
    } catch (MalformedBody | ArithmeticException notSettings) {
      // Told below.
    }
    throw RefusedRequest.bad("Invalid value for x-ms-cosmos-offer-autopilot-settings.");
  }

  static Body body(NosqlRequest request) {
    if (request.body().size() == 0) {
      throw RefusedRequest.bad(
          "The request payload is invalid. Ensure to provide a valid request payload.");
    }
    return new Body(Body.Format.JSON, request.body());
  }

  /** A level weaker than the account's may be asked for, a stronger one cannot be given. */
  static void checkConsistency(NosqlRequest request, ConsistencyLevel account) {
    String asked = request.header(NosqlHeaders.CONSISTENCY_LEVEL);
    if (asked == null) {
      return;
    }
    String strategy = request.header(NosqlHeaders.READ_CONSISTENCY_STRATEGY);
    // Java clients 4.69 to 4.76 send the default beside a level.
    if (strategy != null && !strategy.equalsIgnoreCase("Default")) {
      throw RefusedRequest.bad(
          "x-ms-consistency-level and x-ms-cosmos-read-consistency-strategy exclude each other.");
    }
    ConsistencyLevel level = level(asked);
    if (level.compareTo(account) < 0) {
      throw RefusedRequest.bad(
          "ConsistencyLevel "
              + level.text()
              + " specified in the request is invalid when service is configured with consistency"
              + " level "
              + account.text()
              + ". Ensure the request consistency level is not stronger than the service"
              + " consistency level.");
    }
  }

  /** The level that a request is answered under. */
  static ConsistencyLevel consistency(NosqlRequest request, ConsistencyLevel account) {
    String asked = request.header(NosqlHeaders.CONSISTENCY_LEVEL);
    return asked == null ? account : level(asked);
  }

  private static ConsistencyLevel level(String text) {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      if (level.text().equalsIgnoreCase(text)) {
        return level;
      }
    }
    throw RefusedRequest.bad("Invalid value for request header x-ms-consistency-level.");
  }

  static int number(String header, CharSequence name) {
    try {
      return AsciiNumbers.parseInt(header.strip());
    } catch (NumberFormatException notOne) {
      throw RefusedRequest.bad("Invalid value for request header " + name + ".");
    }
  }
}
