package io.orrery.nosql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.AsciiString;
import io.orrery.operation.Etag;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Resource;
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
  private static final AsciiString ETAG = new AsciiString("\",\"_etag\":\"");
  private static final AsciiString TIMESTAMP =
      new AsciiString("\",\"_attachments\":\"attachments/\",\"_ts\":");

  private SystemProperties() {}

  /** What follows an item's own members, the closing brace included. */
  static void writeTail(ByteBuf out, OwnerNames container, StoredItem item) {
    container.item(item.counter());
    ResponseWriter.ascii(out, RID);
    container.writeRid(out);
    ResponseWriter.ascii(out, SELF);
    container.writeSelf(out);
    ResponseWriter.ascii(out, ETAG);
    writeEscaped(out, item.etag());
    ResponseWriter.ascii(out, TIMESTAMP);
    ResponseWriter.number(out, item.timestampSeconds());
    out.writeByte('}');
  }

  static void writeItem(ByteBuf out, OwnerNames container, StoredItem item) {
    out.writeBytes(item.body().bytes().array(), 0, item.body().bytes().size() - 1);
    writeTail(out, container, item);
  }

  static String resource(Resource resource) {
    String own = resource.definition().bytes().utf8();
    return own.substring(0, own.length() - 1)
        + (own.length() > 2 ? "," : "")
        + ("\"_rid\":" + JsonText.quote(resource.rid()))
        + (",\"_self\":" + JsonText.quote(resource.self()))
        + (",\"_etag\":" + JsonText.quote(resource.etag().text()))
        + childLinks(resource.kind())
        + (",\"_ts\":" + resource.timestampSeconds() + "}");
  }

  private static String childLinks(Resource.Kind kind) {
    return switch (kind) {
      case DATABASE -> ",\"_colls\":\"colls/\",\"_users\":\"users/\"";
      case CONTAINER ->
          ",\"_docs\":\"docs/\",\"_sprocs\":\"sprocs/\",\"_triggers\":\"triggers/\""
              + ",\"_udfs\":\"udfs/\",\"_conflicts\":\"conflicts/\"";
      case OFFER -> "";
    };
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

  /** An etag carries its quotes: inside a JSON string they need a backslash. */
  private static void writeEscaped(ByteBuf out, Etag etag) {
    String text = etag.text();
    out.writeByte('\\').writeByte('"');
    ByteBufUtil.writeAscii(out, text.substring(1, text.length() - 1));
    out.writeByte('\\').writeByte('"');
  }
}
