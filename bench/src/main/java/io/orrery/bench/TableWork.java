package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** The same entities, asked for and made by both protocols. */
final class TableWork {
  static final int ROWS_PER_KEY = 100;
  private static final int GROUPS = 10;
  private static final String NOTE = "n".repeat(600);

  private TableWork() {}

  static String key(long number) {
    return String.format(Locale.ROOT, "p%08d", number / ROWS_PER_KEY);
  }

  private static String row(long number) {
    return String.format(Locale.ROOT, "r%02d", number % ROWS_PER_KEY);
  }

  private static String entity(long number) {
    return ("{\"PartitionKey\":\"" + key(number) + "\",\"RowKey\":\"" + row(number) + "\"")
        + (",\"name\":\"name " + number + "\",\"group\":\"g" + number % GROUPS + "\"")
        + (",\"count\":" + number % 1_000 + ",\"price\":" + number % 1_000 + ".5")
        + (",\"note\":\"" + NOTE + "\"}");
  }

  /** The item that holds the entity. */
  private static String item(long number) {
    return ("{\"id\":\"" + row(number) + "\",\"$pk\":\"" + key(number) + "\"")
        + typed("name", "String", "\"name " + number + "\"")
        + typed("group", "String", "\"g" + number % GROUPS + "\"")
        + typed("count", "Int32", "" + number % 1_000)
        + typed("price", "Double", number % 1_000 + ".5")
        + (typed("note", "String", "\"" + NOTE + "\"") + "}");
  }

  private static String typed(String name, String type, String json) {
    return ",\"" + name + "\":{\"$t\":\"Edm." + type + "\",\"$v\":" + json + "}";
  }

  static String get(TableAccount account, long number) {
    String path = "/items(PartitionKey='" + key(number) + "',RowKey='" + row(number) + "')";
    return account.request("GET", path, "", "", "");
  }

  static String get(Account account, long number) {
    return account.readItem(row(number), key(number));
  }

  static String insert(TableAccount account, long number) {
    return account.request("POST", "/items", "", "application/json", entity(number));
  }

  static String insert(Account account, long number) {
    String body = item(number);
    return account.createItem(key(number), body.length()) + body;
  }

  /** One in ten entities of a key, on one page. */
  static String query(TableAccount account, long number) {
    String filter = "PartitionKey eq '" + key(number) + "' and group eq 'g" + number % GROUPS + "'";
    String query = "?$filter=" + filter.replace(" ", "%20") + "&$top=" + ROWS_PER_KEY;
    return account.request("GET", "/items()", query, "", "");
  }

  /** The same entities, asked for as an SDK asks that was given the key. */
  static String query(Account account, long number) {
    String body =
        "{\"query\":\"SELECT * FROM c WHERE c['group']['$v'] = @g\","
            + ("\"parameters\":[{\"name\":\"@g\",\"value\":\"g" + number % GROUPS + "\"}]}");
    return account.queryOfKey(body, ROWS_PER_KEY, key(number));
  }

  /** How many entities an answer shows, whatever the protocol. */
  static int shown(String body) {
    return body.split(":\"name ", -1).length - 1;
  }

  /** What the filtered queries find. */
  static int wanted() {
    return ROWS_PER_KEY / GROUPS;
  }

  /**
   * All entities of a partition; the number counts partitions. Azurite knows boundaries by how they
   * begin, and tables by what follows a host that has no name.
   */
  static String batch(TableAccount account, long partition) {
    var body =
        new StringBuilder(
            "--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n");
    for (int i = 0; i < ROWS_PER_KEY; i++) {
      String entity = entity(partition * ROWS_PER_KEY + i);
      body.append("--changeset_c\r\nContent-Type: application/http\r\n");
      body.append("Content-Transfer-Encoding: binary\r\n\r\nPOST http://127.0.0.1:80");
      body.append(account.prefix()).append("/items HTTP/1.1\r\nPrefer: return-no-content\r\n");
      body.append("Accept: application/json;odata=minimalmetadata\r\n");
      body.append("Content-Type: application/json\r\nDataServiceVersion: 3.0\r\n\r\n");
      body.append(entity).append("\r\n");
    }
    body.append("--changeset_c--\r\n--batch_b--\r\n");
    String type = "multipart/mixed; boundary=batch_b";
    return account.request("POST", "/$batch", "", type, body.toString());
  }

  static String batch(Account account, long partition) {
    var body = new StringBuilder("[");
    for (int i = 0; i < ROWS_PER_KEY; i++) {
      body.append(i == 0 ? "" : ",").append("{\"operationType\":\"Create\",\"resourceBody\":");
      body.append(item(partition * ROWS_PER_KEY + i)).append('}');
    }
    body.append(']');
    return account.batch(key(partition * ROWS_PER_KEY), body.length()) + body;
  }

  /** Requests made beforehand, drawn uniformly. */
  static Requests drawn(int count, LongFunction<String> request) {
    var made = new byte[count][];
    for (int i = 0; i < count; i++) {
      made[i] = request.apply(i).getBytes(StandardCharsets.US_ASCII);
    }
    return out -> write(out, made[ThreadLocalRandom.current().nextInt(count)]);
  }

  /** Requests made as they are needed, for numbers that were not used before. */
  static Requests rising(AtomicLong numbers, LongFunction<String> request) {
    return out ->
        write(out, request.apply(numbers.getAndIncrement()).getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean write(ByteBuf out, byte[] request) {
    out.writeBytes(request);
    return true;
  }
}
