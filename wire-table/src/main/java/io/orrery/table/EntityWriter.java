package io.orrery.table;

import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.JsonText;
import io.orrery.value.RawMembers;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes entities as answers hold them, straight from the text of the items that hold them. */
final class EntityWriter {
  private static final AsciiString TYPE_NAME = new AsciiString("@odata.type\":\"");
  private static final AsciiString TIME_TYPE =
      new AsciiString("\"Timestamp@odata.type\":\"Edm.DateTime\",");
  private static final AsciiString TIME = new AsciiString("\"Timestamp\":\"");
  private static final AsciiString ETAG_BEGIN = new AsciiString("\"odata.etag\":\"W/\\\"datetime'");
  private static final AsciiString ETAG_END = new AsciiString("'\\\"\"");
  private static final int INT32_DIGITS = 9;

  /**
   * What holds for all entities of an answer.
   *
   * @param selected null for all properties
   */
  record Frame(
      Metadata metadata,
      String endpoint,
      String account,
      String table,
      @Nullable Set<String> selected) {

    boolean wants(String property) {
      return selected == null || selected.contains(property);
    }
  }

  private final AsciiOut out;
  private final Frame frame;
  private boolean first;

  EntityWriter(AsciiOut out, Frame frame) {
    this.out = out;
    this.frame = frame;
  }

  /**
   * Writes one entity.
   *
   * @param text the item, from its opening brace
   * @param element whether the entity is the whole answer
   */
  void put(byte[] text, int from, long ticks, boolean element) {
    String time = TicksText.of(ticks);
    out.put('{');
    first = true;
    if (element && frame.metadata != Metadata.NONE) {
      name("odata.metadata");
      out.put('"').put(frame.endpoint).put('/').put(frame.table).put("/$metadata#");
      out.put(frame.table).put("/@Element\"");
    }
    RawMembers members = new RawMembers(text, from);
    if (frame.metadata == Metadata.FULL) {
      fullMetadata(text, from);
    }
    if (frame.metadata != Metadata.NONE) {
      separate();
      out.put(ETAG_BEGIN).put(TicksText.escaped(time)).put(ETAG_END);
    }
    while (members.next()) {
      member(text, members);
    }
    if (frame.wants(Properties.TIMESTAMP)) {
      separate();
      if (frame.metadata != Metadata.NONE) {
        out.put(TIME_TYPE);
      }
      out.put(TIME).put(time).put('"');
    }
    out.put('}');
  }

  private void fullMetadata(byte[] text, int from) {
    String id = "";
    String key = "";
    RawMembers members = new RawMembers(text, from);
    while (members.next()) {
      if (members.isNamed(Properties.ID)) {
        id = Keys.rowKey(members.string());
      } else if (members.isNamed(Properties.KEY)) {
        key = members.string();
      }
    }
    String link = TablePath.entity(frame.table, new Entity.Key(key, id));
    name("odata.type");
    out.put('"').put(frame.account).put('.').put(frame.table).put('"');
    name("odata.id");
    out.put('"').put(frame.endpoint).put('/').put(link).put('"');
    name("odata.editLink");
    out.put('"').put(link).put('"');
  }

  private void member(byte[] text, RawMembers member) {
    if (member.isNamed(Properties.ID)) {
      rowKey(text, member);
    } else if (member.isNamed(Properties.KEY)) {
      if (frame.wants(Properties.PARTITION_KEY)) {
        name(Properties.PARTITION_KEY);
        out.put(text, member.valueFrom(), member.valueTo());
      }
    } else if (isProperty(text, member)
        && (frame.selected == null || frame.selected.contains(member.name()))) {
      property(text, member);
    }
  }

  private void rowKey(byte[] text, RawMembers member) {
    if (frame.wants(Properties.ROW_KEY)) {
      name(Properties.ROW_KEY);
      boolean escaped = text[member.valueFrom() + 1] == ' ';
      out.put('"');
      out.put(text, member.valueFrom() + (escaped ? 2 : 1), member.valueTo());
    }
  }

  /** What an item has beside its properties begins with an underscore and is the server's. */
  private static boolean isProperty(byte[] text, RawMembers member) {
    return text[member.nameFrom()] != '_' || !Properties.isOfItem(member.name());
  }

  private void property(byte[] text, RawMembers member) {
    int from = member.valueFrom();
    int to = member.valueTo();
    EdmType type = null;
    if (text[from] == '{') {
      int valueFrom = -1;
      int valueTo = -1;
      var inner = new RawMembers(text, from);
      while (inner.next()) {
        if (inner.isNamed(Properties.TYPE) && text[inner.valueFrom()] == '"') {
          type = typeOf(inner);
        } else if (inner.isNamed(Properties.VALUE)) {
          valueFrom = inner.valueFrom();
          valueTo = inner.valueTo();
        }
      }
      if (type != null && valueFrom >= 0) {
        from = valueFrom;
        to = valueTo;
      } else {
        type = null;
      }
    }
    if (type == null) {
      type = plainType(text, from, to);
    }
    if (type != null) {
      property(text, member, type, from, to);
    }
  }

  private static @Nullable EdmType typeOf(RawMembers member) {
    // The usual ones first: comparing bytes is quicker than making a string.
    if (member.isString("Edm.String")) {
      return EdmType.STRING;
    }
    return member.isString("Edm.Int32") ? EdmType.INT32 : EdmType.of(member.string());
  }

  /** The type of a value that another protocol wrote; null for none. */
  private static @Nullable EdmType plainType(byte[] text, int from, int to) {
    return switch (text[from]) {
      case '"', '{', '[' -> EdmType.STRING;
      case 't', 'f' -> EdmType.BOOLEAN;
      case 'n' -> null;
      default -> isInt32(text, from, to) ? EdmType.INT32 : EdmType.DOUBLE;
    };
  }

  private static boolean isInt32(byte[] text, int from, int to) {
    int digits = text[from] == '-' ? from + 1 : from;
    for (int i = digits; i < to; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    if (to - digits <= INT32_DIGITS) {
      return true;
    }
    try {
      var _ = Integer.parseInt(new String(text, from, to - from, StandardCharsets.US_ASCII));
      return true;
    } catch (NumberFormatException larger) {
      return false;
    }
  }

  private void property(byte[] text, RawMembers member, EdmType type, int from, int to) {
    boolean quoted = text[from] == '"';
    if (isAnnotated(type, quoted)) {
      separate();
      out.put('"').put(text, member.nameFrom(), member.nameTo());
      out.put(TYPE_NAME).put(type.text()).put('"');
    }
    separate();
    out.put('"').put(text, member.nameFrom(), member.nameTo()).put('"').put(':');
    switch (type) {
      case STRING, DATE_TIME, GUID, BINARY, INT64 -> {
        if (quoted) {
          out.put(text, from, to);
        } else {
          // Another protocol wrote something that is no string.
          String plain = new String(text, from, to - from, StandardCharsets.UTF_8);
          out.put(JsonText.utf8(JsonText.quote(plain)));
        }
      }
      case DOUBLE -> {
        out.put(text, from, to);
        // Clients take a number without point or exponent for an Int32.
        if (isWhole(text, from, to)) {
          out.put(".0");
        }
      }
      case INT32, BOOLEAN -> out.put(text, from, to);
    }
  }

  private boolean isAnnotated(EdmType type, boolean quoted) {
    if (frame.metadata == Metadata.NONE) {
      return false;
    }
    return switch (type) {
      case STRING, INT32, BOOLEAN -> false;
      case DOUBLE -> quoted || frame.metadata == Metadata.FULL;
      case INT64, DATE_TIME, GUID, BINARY -> true;
    };
  }

  /** Whether the text is a whole number; another protocol may have stored any JSON. */
  private static boolean isWhole(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if ((text[i] < '0' || text[i] > '9') && text[i] != '-') {
        return false;
      }
    }
    return true;
  }

  private void name(String name) {
    separate();
    out.put('"').put(name).put('"').put(':');
  }

  private void separate() {
    if (first) {
      first = false;
    } else {
      out.put(',');
    }
  }
}
