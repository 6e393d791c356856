package io.orrery.server;

import io.orrery.operation.AccountKeys;
import io.orrery.server.SignedClient.Target;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A way into a server: a protocol, with or without TLS, and its largest messages. */
enum Door {
  NOSQL(false, false),
  NOSQL_TLS(false, true),
  TABLE(true, false),
  TABLE_TLS(true, true);

  private static final String ITEMS = "dbs/d/colls/c";
  private static final int ITEM_BYTES = 2_000_000;
  private static final int PROPERTY_CHARS = 32_000;
  private static final SignedClient SIGNER = new SignedClient("");

  private final boolean table;
  private final boolean tls;

  Door(boolean table, boolean tls) {
    this.table = table;
    this.tls = tls;
  }

  CrowdClient connect(ServerProcess server) {
    return connect(server, 64 << 10);
  }

  CrowdClient connect(ServerProcess server, int receiveBytes) {
    return new CrowdClient(table ? server.tablePort() : server.port(), tls, receiveBytes);
  }

  /** Makes the container or table. */
  String[] preparations() {
    if (table) {
      return new String[] {tableRequest("POST", "/Tables", "{\"TableName\":\"crowd\"}")};
    }
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    return new String[] {
      whole(head(Target.feed("POST", "dbs", "")), "{\"id\":\"d\"}"),
      whole(head(Target.feed("POST", "colls", "dbs/d")), container)
    };
  }

  String small(String id) {
    return table
        ? tableRequest("POST", "/crowd", entity(id, 0))
        : whole(head(Target.feed("POST", "docs", ITEMS)), item(id, 100));
  }

  String readOf(String id) {
    return table
        ? tableRequest("GET", "/crowd(PartitionKey='p',RowKey='" + id + "')", "")
        : head(Target.one("GET", "docs", ITEMS + "/docs/" + id))
            + ("x-ms-documentdb-partitionkey: [\"" + id + "\"]\r\n\r\n");
  }

  /** A message as large as may be: a write, a batch or a query with a large answer. */
  String largest(String id, int kind) {
    return switch (kind % 3) {
      case 0 -> table ? tableRequest("POST", "/crowd", entity(id, 30)) : largeItem(id);
      case 1 -> table ? tableBatch(id) : itemBatch(id);
      default -> largeAnswer();
    };
  }

  private static String largeItem(String id) {
    return whole(head(Target.feed("POST", "docs", ITEMS)), item(id, ITEM_BYTES));
  }

  /** Asks for a page of all that is there. */
  String largeAnswer() {
    return table
        ? tableRequest("GET", "/crowd()?$top=1000", "")
        : whole(
            head(Target.feed("POST", "docs", ITEMS))
                + "content-type: application/query+json\r\nx-ms-documentdb-isquery: True\r\n"
                + "x-ms-documentdb-query-enablecrosspartition: True\r\n",
            "{\"query\":\"SELECT * FROM c\"}");
  }

  private static String itemBatch(String id) {
    String create =
        "[{\"operationType\":\"Create\",\"resourceBody\":" + item(id, ITEM_BYTES - 1_000) + "}]";
    return whole(
        head(Target.feed("POST", "docs", ITEMS))
            + "x-ms-cosmos-is-batch-request: True\r\nx-ms-cosmos-batch-atomic: True\r\n"
            + ("x-ms-documentdb-partitionkey: [\"" + id + "\"]\r\n"),
        create);
  }

  private static String item(String id, int bytes) {
    String frame = "{\"id\":\"" + id + "\",\"pk\":\"" + id + "\",\"text\":\"\"}";
    return frame.replace("\"\"", "\"" + "x".repeat(bytes - frame.length()) + "\"");
  }

  private static String entity(String id, int properties) {
    String large = "x".repeat(PROPERTY_CHARS);
    return IntStream.range(0, properties)
        .mapToObj(i -> ",\"T" + i + "\":\"" + large + "\"")
        .collect(Collectors.joining("", "{\"PartitionKey\":\"p\",\"RowKey\":\"" + id + "\"", "}"));
  }

  private static String tableBatch(String id) {
    StringBuilder body = new StringBuilder();
    body.append("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
    for (int i = 0; i < 4; i++) {
      body.append("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n");
      body.append("\r\nPOST http://localhost/crowd HTTP/1.1\r\nContent-Type: application/json\r\n");
      body.append("\r\n").append(entity(id + "-" + i, 30)).append("\r\n");
    }
    body.append("--c--\r\n--b--\r\n");
    return tableRequest("POST", "/$batch", body.toString());
  }

  private static String head(Target target) {
    return new String(SIGNER.head(target), StandardCharsets.US_ASCII);
  }

  private static String whole(String head, String body) {
    return head + "content-length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String tableRequest(String verb, String target, String body) {
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    String path = target.replaceFirst("[?].*", "");
    String type = path.equals("/$batch") ? "multipart/mixed; boundary=b" : "application/json";
    String head =
        (verb + " " + target + " HTTP/1.1\r\nhost: localhost\r\nx-ms-date: " + date + "\r\n")
            + "accept: application/json;odata=nometadata\r\nx-ms-version: 2019-02-02\r\n"
            + ("content-type: " + type + "\r\nprefer: return-no-content\r\n")
            + ("authorization: SharedKeyLite localhost:" + signature(date + "\n/localhost" + path))
            + "\r\n";
    return body.isEmpty() ? head + "\r\n" : whole(head, body);
  }

  private static String signature(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(AccountKeys.WELL_KNOWN);
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
