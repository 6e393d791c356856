package io.orrery.table;

import io.orrery.http.Percent;
import io.orrery.operation.Keyword;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request, taken apart.
 *
 * @param table the table that it is about; empty where there is none
 * @param key set when it names an entity
 * @param signed the path as a signature covers it
 */
record TablePath(Shape shape, String table, Entity.@Nullable Key key, String signed) {

  /** The forms that a path can have. */
  enum Shape {
    SERVICE("/"),
    TABLES("/Tables"),
    TABLE("/Tables('{table}')"),
    ENTITIES("/{table}()"),
    ENTITY("/{table}(PartitionKey='{key}',RowKey='{key}')"),
    BATCH("/$batch"),
    UNKNOWN("");

    private final String template;

    Shape(String template) {
      this.template = template;
    }

    String template() {
      return template;
    }
  }

  private static final String TABLES = "Tables";

  /**
   * The path of a request target, which may be a whole URL as in batches; null when its encoding is
   * broken.
   *
   * @param account may stand before the rest, for clients that address accounts by paths
   */
  static @Nullable TablePath parse(String target, String account) {
    int query = target.indexOf('?');
    String path = pathOf(query < 0 ? target : target.substring(0, query));
    String rest = path.startsWith("/") ? path.substring(1) : path;
    if (rest.startsWith(account + "/")) {
      rest = rest.substring(account.length() + 1);
    } else if (rest.equals(account) && query >= 0) {
      rest = "";
    }
    String text = Percent.decode(rest);
    return text == null ? null : of(text, path);
  }

  private static String pathOf(String target) {
    int scheme = target.indexOf("://");
    if (scheme < 0 || target.startsWith("/")) {
      return target;
    }
    int slash = target.indexOf('/', scheme + 3);
    return slash < 0 ? "/" : target.substring(slash);
  }

  private static TablePath of(String text, String signed) {
    int open = text.indexOf('(');
    String name = open < 0 ? text : text.substring(0, open);
    if (text.isEmpty()) {
      return new TablePath(Shape.SERVICE, "", null, signed);
    }
    if (text.equals("$batch")) {
      return new TablePath(Shape.BATCH, "", null, signed);
    }
    if (name.isEmpty() || name.indexOf('/') >= 0 || name.startsWith("$")) {
      return new TablePath(Shape.UNKNOWN, "", null, signed);
    }
    boolean tables = Keyword.lower(name).equals(Keyword.lower(TABLES));
    if (open < 0 || text.endsWith("()")) {
      return tables
          ? new TablePath(Shape.TABLES, "", null, signed)
          : new TablePath(Shape.ENTITIES, name, null, signed);
    }
    var predicate = new KeyPredicate(text, open + 1);
    if (tables) {
      String table = predicate.only();
      return table == null
          ? new TablePath(Shape.UNKNOWN, "", null, signed)
          : new TablePath(Shape.TABLE, table, null, signed);
    }
    Entity.Key key = predicate.key();
    return key == null
        ? new TablePath(Shape.UNKNOWN, name, null, signed)
        : new TablePath(Shape.ENTITY, name, key, signed);
  }

  /** What stands before it for clients that address accounts by paths; empty for others. */
  String prefix(String account) {
    return signed.startsWith("/" + account + "/") ? "/" + account : "";
  }

  /** The path of an entity, as headers and links carry it. */
  static String entity(String table, Entity.Key key) {
    return table
        + "(PartitionKey='"
        + quoted(key.partitionKey())
        + "',RowKey='"
        + quoted(key.rowKey())
        + "')";
  }

  private static String quoted(String text) {
    return Percent.forHeader(text.replace("'", "''")).replace(" ", "%20");
  }

  /** Reads what stands between parentheses; a quote inside a text is doubled. */
  private static final class KeyPredicate {
    private final String text;
    private int at;

    KeyPredicate(String text, int at) {
      this.text = text;
      this.at = at;
    }

    /** The one text, or null when it is not that. */
    @Nullable String only() {
      String name = quoted();
      return name != null && isEnd() ? name : null;
    }

    /** The keys in either order, or null when they are not that. */
    Entity.@Nullable Key key() {
      String partitionKey = null;
      String rowKey = null;
      for (int i = 0; i < 2; i++) {
        if (takes(Properties.PARTITION_KEY + "=")) {
          partitionKey = quoted();
        } else if (takes(Properties.ROW_KEY + "=")) {
          rowKey = quoted();
        }
        if (i == 0 && !takes(",")) {
          return null;
        }
      }
      return partitionKey == null || rowKey == null || !isEnd()
          ? null
          : new Entity.Key(partitionKey, rowKey);
    }

    private boolean isEnd() {
      return at == text.length() - 1 && text.charAt(at) == ')';
    }

    private boolean takes(String expected) {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
      if (!text.startsWith(expected, at)) {
        return false;
      }
      at += expected.length();
      return true;
    }

    private @Nullable String quoted() {
      if (at >= text.length() || text.charAt(at) != '\'') {
        return null;
      }
      var value = new StringBuilder();
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c != '\'') {
          value.append(c);
        } else if (at + 1 < text.length() && text.charAt(at + 1) == '\'') {
          value.append(c);
          at++;
        } else {
          at++;
          return value.toString();
        }
      }
      return null;
    }
  }
}
