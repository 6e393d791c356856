package io.orrery.nosql;

import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.JsonText;
import io.orrery.operation.Etag;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.ResourceId;
import io.orrery.operation.StoredItem;
import java.util.List;

/**
 * The properties that the server adds to what clients wrote. They are spliced into the text before
 * its closing brace; the text itself is not looked at.
 */
final class SystemProperties {
  private static final AsciiString RID = new AsciiString(",\"_rid\":\"");
  private static final AsciiString SELF = new AsciiString("\",\"_self\":\"");
  private static final AsciiString ETAG = new AsciiString("\",\"_etag\":\"\\\"");
  private static final AsciiString TIMESTAMP =
      new AsciiString("\\\"\",\"_attachments\":\"attachments/\",\"_ts\":");

  private SystemProperties() {}

  /** What follows an item's own members, the closing brace included. */
  static void putTail(AsciiOut out, OwnerNames container, StoredItem item, String etag) {
    putMembers(out, container, item, etag);
    out.put('}');
  }

  /** What follows an item's own members. */
  static void putMembers(AsciiOut out, OwnerNames container, StoredItem item, String etag) {
    container.item(item.counter());
    container.putRid(out.put(RID));
    container.putSelf(out.put(SELF));
    // An etag carries its quotes: inside a JSON string they need a backslash.
    out.put(ETAG).put(etag, 1, etag.length() - 1);
    out.put(TIMESTAMP).number(item.timestampSeconds());
  }

  static String range(PartitionKeyRange range, String containerRid, Etag etag) {
    String rid = ResourceId.range(containerRid, range.number());
    String self =
        "dbs/"
            + (ResourceId.databaseOf(containerRid) + "/colls/" + containerRid)
            + ("/pkranges/" + rid + "/");
    List<String> parents = range.parents().stream().map(parent -> "\"" + parent + "\"").toList();
    return ("{\"_rid\":\"" + rid + "\",\"id\":\"" + range.id() + "\"")
        + (",\"_etag\":" + JsonText.quote(etag.text()))
        + (",\"minInclusive\":\"" + range.range().min().hex() + "\"")
        + (",\"maxExclusive\":\"" + range.range().max().hex() + "\"")
        + (",\"ridPrefix\":" + range.number() + ",\"_self\":\"" + self + "\"")
        + (",\"throughputFraction\":" + fraction(range.throughputFraction()))
        + (",\"status\":\"online\",\"parents\":[" + String.join(",", parents) + "]")
        + (",\"ownedArchivalPKRangeIds\":[],\"lsn\":" + range.lsn() + "}");
  }

  private static String fraction(double fraction) {
    return fraction == 1 ? "1" : Double.toString(fraction);
  }
}
