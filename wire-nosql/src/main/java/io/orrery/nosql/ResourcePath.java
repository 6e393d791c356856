package io.orrery.nosql;

import io.orrery.http.Percent;
import io.orrery.operation.Keyword;
import io.orrery.operation.ResourceId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request, taken apart: names are decoded, kinds stand at the even places.
 *
 * @param type the resource type that the signature covers
 * @param link the resource that the signature covers, by names: the resource itself, or the owner
 *     of a feed
 */
record ResourcePath(Shape shape, List<String> segments, String type, String link) {

  /** The forms that a path can have. */
  enum Shape {
    ACCOUNT("/"),
    DATABASES("/dbs"),
    DATABASE("/dbs/{db}"),
    CONTAINERS("/dbs/{db}/colls"),
    CONTAINER("/dbs/{db}/colls/{coll}"),
    RANGES("/dbs/{db}/colls/{coll}/pkranges"),
    ITEMS("/dbs/{db}/colls/{coll}/docs"),
    ITEM("/dbs/{db}/colls/{coll}/docs/{doc}"),
    KEY_DELETION("/dbs/{db}/colls/{coll}/operations/partitionkeydelete"),
    PROCEDURES("/dbs/{db}/colls/{coll}/sprocs"),
    PROCEDURE("/dbs/{db}/colls/{coll}/sprocs/{script}"),
    TRIGGERS("/dbs/{db}/colls/{coll}/triggers"),
    TRIGGER("/dbs/{db}/colls/{coll}/triggers/{script}"),
    FUNCTIONS("/dbs/{db}/colls/{coll}/udfs"),
    FUNCTION("/dbs/{db}/colls/{coll}/udfs/{script}"),
    CONFLICTS("/dbs/{db}/colls/{coll}/conflicts"),
    CONFLICT("/dbs/{db}/colls/{coll}/conflicts/{conflict}"),
    USERS("/dbs/{db}/users"),
    USER("/dbs/{db}/users/{user}"),
    PERMISSIONS("/dbs/{db}/users/{user}/permissions"),
    PERMISSION("/dbs/{db}/users/{user}/permissions/{permission}"),
    ENCRYPTION_KEYS("/dbs/{db}/clientencryptionkeys"),
    OFFERS("/offers"),
    OFFER("/offers/{offer}"),
    SURVEY("/_orrery/databases"),
    PARTITIONS("/_orrery/databases/{db}/containers/{coll}/partitions"),
    PARTITION_SPLIT("/_orrery/databases/{db}/containers/{coll}/partitions/{range}/split"),
    PARTITION_MERGE("/_orrery/databases/{db}/containers/{coll}/partitions/merge"),
    RESHAPES("/_orrery/operations"),
    RESHAPE("/_orrery/operations/{operation}"),
    RESHAPE_ADVANCE("/_orrery/operations/{operation}/advance"),
    CLOCK("/_orrery/clock"),
    CLOCK_ADVANCE("/_orrery/clock/advance"),
    KEY_ROTATION("/_orrery/keys/{key}/rotate"),
    UNKNOWN("");

    private final String template;

    Shape(String template) {
      this.template = template;
    }

    String template() {
      return template;
    }
  }

  private static final int SEGMENTS_MAX = 12;
  private static final String MANAGEMENT = "_orrery";
  private static final int DATABASE_RID_BYTES = 4;

  /** The path of a request target, or null when its encoding is broken. */
  static @Nullable ResourcePath parse(String target) {
    int begin = pathBegin(target);
    int end = pathEnd(target, begin);
    var segments = new String[SEGMENTS_MAX];
    int count = 0;
    for (int at = begin; at < end; ) {
      int slash = target.indexOf('/', at);
      int next = slash < 0 || slash > end ? end : slash;
      String segment = Percent.decode(target.substring(at, next));
      if (segment == null) {
        return null;
      }
      at = next + 1;
      if (segment.isEmpty()) {
        // Python clients before 4.8 double slashes, and sign the path without.
        continue;
      }
      if (count == SEGMENTS_MAX) {
        return new ResourcePath(Shape.UNKNOWN, List.of(), "", target.substring(begin, end));
      }
      segments[count++] = segment;
    }
    return of(Arrays.asList(segments).subList(0, count));
  }

  private static ResourcePath of(List<String> segments) {
    Shape shape = shapeOf(segments);
    int count = segments.size();
    if (count == 0) {
      return new ResourcePath(shape, segments, "", "");
    }
    if (segments.get(0).equals(MANAGEMENT)) {
      // Signed like the account; the kinds stand at even places as in other paths.
      return new ResourcePath(shape, segments.subList(1, count), "", "");
    }
    if (shape == Shape.KEY_DELETION) {
      return new ResourcePath(shape, segments, "colls", String.join("/", segments.subList(0, 4)));
    }
    return count % 2 == 0
        ? new ResourcePath(shape, segments, segments.get(count - 2), String.join("/", segments))
        : new ResourcePath(
            shape,
            segments,
            segments.get(count - 1),
            String.join("/", segments.subList(0, count - 1)));
  }

  private static Shape shapeOf(List<String> segments) {
    int count = segments.size();
    if (count == 0) {
      return Shape.ACCOUNT;
    }
    if (segments.get(0).equals("offers")) {
      return count == 1 ? Shape.OFFERS : count == 2 ? Shape.OFFER : Shape.UNKNOWN;
    }
    if (!segments.get(0).equals("dbs")) {
      return segments.get(0).equals(MANAGEMENT) ? managed(segments) : Shape.UNKNOWN;
    }
    if (count <= 2) {
      return count == 1 ? Shape.DATABASES : Shape.DATABASE;
    }
    return switch (segments.get(2)) {
      case "colls" -> ofContainers(segments);
      case "users" -> ofUsers(segments);
      case "clientencryptionkeys" -> count == 3 ? Shape.ENCRYPTION_KEYS : Shape.UNKNOWN;
      default -> Shape.UNKNOWN;
    };
  }

  private static Shape ofUsers(List<String> segments) {
    int count = segments.size();
    if (count <= 4) {
      return count == 3 ? Shape.USERS : Shape.USER;
    }
    return !segments.get(4).equals("permissions") || count > 6
        ? Shape.UNKNOWN
        : count == 5 ? Shape.PERMISSIONS : Shape.PERMISSION;
  }

  private static Shape ofContainers(List<String> segments) {
    return switch (segments.size()) {
      case 3 -> Shape.CONTAINERS;
      case 4 -> Shape.CONTAINER;
      case 5 -> feedOfContainer(segments.get(4));
      case 6 -> inContainer(segments.get(4), segments.get(5));
      default -> Shape.UNKNOWN;
    };
  }

  private static Shape managed(List<String> segments) {
    int count = segments.size();
    return switch (count < 2 ? "" : segments.get(1)) {
      case "databases" -> count == 2 ? Shape.SURVEY : ofPartitions(segments);
      case "operations" ->
          count <= 3
              ? (count == 2 ? Shape.RESHAPES : Shape.RESHAPE)
              : isLast(segments, 3, "advance") ? Shape.RESHAPE_ADVANCE : Shape.UNKNOWN;
      case "clock" ->
          count == 2
              ? Shape.CLOCK
              : isLast(segments, 2, "advance") ? Shape.CLOCK_ADVANCE : Shape.UNKNOWN;
      case "keys" -> isLast(segments, 3, "rotate") ? Shape.KEY_ROTATION : Shape.UNKNOWN;
      default -> Shape.UNKNOWN;
    };
  }

  private static Shape ofPartitions(List<String> segments) {
    if (segments.size() < 6
        || !segments.get(3).equals("containers")
        || !segments.get(5).equals("partitions")) {
      return Shape.UNKNOWN;
    }
    if (segments.size() == 6) {
      return Shape.PARTITIONS;
    }
    return isLast(segments, 6, "merge")
        ? Shape.PARTITION_MERGE
        : isLast(segments, 7, "split") ? Shape.PARTITION_SPLIT : Shape.UNKNOWN;
  }

  private static boolean isLast(List<String> segments, int at, String name) {
    return segments.size() == at + 1 && segments.get(at).equals(name);
  }

  private static Shape feedOfContainer(String kind) {
    return switch (kind) {
      case "docs" -> Shape.ITEMS;
      case "pkranges" -> Shape.RANGES;
      case "sprocs" -> Shape.PROCEDURES;
      case "triggers" -> Shape.TRIGGERS;
      case "udfs" -> Shape.FUNCTIONS;
      case "conflicts" -> Shape.CONFLICTS;
      default -> Shape.UNKNOWN;
    };
  }

  private static Shape inContainer(String kind, String name) {
    return switch (kind) {
      case "docs" -> Shape.ITEM;
      case "sprocs" -> Shape.PROCEDURE;
      case "triggers" -> Shape.TRIGGER;
      case "udfs" -> Shape.FUNCTION;
      case "conflicts" -> Shape.CONFLICT;
      case "operations" -> name.equals("partitionkeydelete") ? Shape.KEY_DELETION : Shape.UNKNOWN;
      default -> Shape.UNKNOWN;
    };
  }

  /**
   * What a client signs that addresses by rids: the last rid in lower case; null when the path
   * cannot be one of rids. A database may be named like a rid, so the name form is tried first.
   */
  @Nullable String ridLink() {
    if (segments.size() < 2) {
      return null;
    }
    boolean offer = segments.get(0).equals("offers");
    if (!offer && databaseRid() == null) {
      return null;
    }
    return Keyword.lower(link.substring(link.lastIndexOf('/') + 1));
  }

  /** Whether it is one of the management API: those alone name no resource, but for the account. */
  boolean isManagement() {
    return shape != Shape.ACCOUNT && type.isEmpty() && link.isEmpty();
  }

  /** Whether the path names an item by rids: each begins with the one above it. */
  boolean namesItemByRid() {
    byte @Nullable [] database = databaseRid();
    if (database == null) {
      return false;
    }
    byte @Nullable [] container = ResourceId.decode(segments.get(3));
    byte @Nullable [] item = ResourceId.decode(segments.get(5));
    return container != null
        && item != null
        && container.length == 2 * DATABASE_RID_BYTES
        && item.length == 4 * DATABASE_RID_BYTES
        && Arrays.mismatch(database, container) == database.length
        && Arrays.mismatch(container, item) == container.length;
  }

  private byte @Nullable [] databaseRid() {
    String name = segments.get(1);
    // Four bytes are six digits and two signs of padding: most names fail this at once.
    if (name.length() != 8 || !name.endsWith("==")) {
      return null;
    }
    byte @Nullable [] rid = ResourceId.decode(name);
    return rid != null && rid.length == DATABASE_RID_BYTES ? rid : null;
  }

  /** The kind of the n-th resource of the path, as the path writes it. */
  String kind(int n) {
    return segments.get(2 * n);
  }

  /** The name (or rid) of the n-th resource of the path. */
  String name(int n) {
    return segments.get(2 * n + 1);
  }

  /** Some clients send the whole URL, as to a proxy. */
  private static int pathBegin(String target) {
    int begin = 0;
    if (target.startsWith("http://") || target.startsWith("https://")) {
      int slash = target.indexOf('/', target.indexOf("//") + 2);
      begin = slash < 0 ? target.length() : slash;
    }
    return begin < target.length() && target.charAt(begin) == '/' ? begin + 1 : begin;
  }

  private static int pathEnd(String target, int begin) {
    int end = target.length();
    for (int i = begin; i < end; i++) {
      char c = target.charAt(i);
      if (c == '?' || c == '#') {
        end = i;
      }
    }
    return end > begin && target.charAt(end - 1) == '/' ? end - 1 : end;
  }
}
