package io.orrery.value;

import io.orrery.operation.ResourceId;
import io.orrery.operation.StoredItem;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An item as queries see it: the members that the client wrote, read from the stored text when
 * asked for, then the system properties. Written, it is what a read of the item answers.
 */
public final class ItemView extends AbstractMap<String, Value> implements RawText {
  private static final List<String> SYSTEM_NAMES =
      List.of("_rid", "_self", "_etag", "_attachments", "_ts");

  /**
   * The commit time in ticks of 100 ns: what queries of protocols with such times ask for. It is no
   * member: it is not listed, not written, and an item's own member of that name goes first.
   */
  public static final String TICKS = "$ticks";

  private static final Value ATTACHMENTS = Value.of("attachments/");

  /** More than the names, the etag, the rids and the time take. */
  private static final int TAIL_BYTES = 256;

  private final RawObject content;
  private final StoredItem item;
  private final Container container;

  private ItemView(RawObject content, StoredItem item, Container container) {
    this.content = content;
    this.item = item;
    this.container = container;
  }

  /** What the items of a container have in common; made once for many of them. */
  public static final class Container {
    private final byte[] rid;
    private final String self;

    public Container(String rid) {
      this.rid = ResourceId.bytesOf(rid);
      self = "dbs/" + ResourceId.databaseOf(rid) + "/colls/" + rid + "/docs/";
    }

    public Value.Obj view(StoredItem item) {
      byte[] text = item.body().bytes().array();
      return new Value.Obj(new ItemView(new RawObject(text, 0, text.length), item, this));
    }
  }

  public static Value.Obj of(StoredItem item, String containerRid) {
    return new Container(containerRid).view(item);
  }

  @Override
  public @Nullable Value get(Object key) {
    return key instanceof String name ? find(name) : null;
  }

  /** What is stored has none of the system's names. */
  private @Nullable Value find(String name) {
    if (!name.isEmpty() && name.charAt(0) == '_') {
      Value system = system(name);
      if (system != null) {
        return system;
      }
    }
    Value own = content.get(name);
    return own == null && name.equals(TICKS) ? Value.of(item.commitTicks()) : own;
  }

  private @Nullable Value system(String name) {
    return switch (name) {
      case "_rid" -> Value.of(rid());
      case "_self" -> Value.of(self(rid()));
      case "_etag" -> Value.of(item.etag().text());
      case "_attachments" -> ATTACHMENTS;
      case "_ts" -> Value.of(item.timestampSeconds());
      default -> null;
    };
  }

  private String rid() {
    return ResourceId.item(container.rid, item.counter());
  }

  private String self(String rid) {
    return container.self + rid + "/";
  }

  @Override
  public Value getOrDefault(Object key, Value otherwise) {
    Value found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public boolean containsKey(Object key) {
    return SYSTEM_NAMES.contains(key) || content.containsKey(key);
  }

  /** Whether the members have these names, in this order. */
  boolean isNamed(List<String> names) {
    int own = names.size() - SYSTEM_NAMES.size();
    return own >= 0
        && names.subList(own, names.size()).equals(SYSTEM_NAMES)
        && content.isNamed(names, own);
  }

  @Override
  public int size() {
    return content.size() + SYSTEM_NAMES.size();
  }

  @Override
  public Set<Map.Entry<String, Value>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Value>> iterator() {
        return Stream.concat(content.entrySet().stream(), systemMembers()).iterator();
      }

      @Override
      public int size() {
        return ItemView.this.size();
      }
    };
  }

  private Stream<Map.Entry<String, Value>> systemMembers() {
    return SYSTEM_NAMES.stream()
        .flatMap(name -> Stream.ofNullable(system(name)).map(value -> Map.entry(name, value)));
  }

  @Override
  public void putInto(JsonOut out) {
    String rid = rid();
    String etag = item.etag().text();
    content.putOpen(out);
    out.ascii(",\"_rid\":\"");
    out.ascii(rid);
    out.ascii("\",\"_self\":\"");
    out.ascii(self(rid));
    // An etag carries its quotes: inside a JSON string they need a backslash.
    out.ascii("\",\"_etag\":\"\\\"");
    out.ascii(etag.substring(1, etag.length() - 1));
    out.ascii("\\\"\",\"_attachments\":\"attachments/\",\"_ts\":");
    out.ascii(Long.toString(item.timestampSeconds()));
    out.put('}');
  }

  /** About: the text and its tail. */
  @Override
  public int sizeBytes() {
    return content.sizeBytes() + TAIL_BYTES;
  }
}
