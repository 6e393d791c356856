package io.orrery.bench;

import io.orrery.operation.AccountKeys;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Heads of requests as a client writes them, signed with the emulator's key at one moment; servers
 * take them for 15 minutes.
 */
final class Account {
  static final String DATABASE = "bench";
  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac = mac();
  private final String database;
  private final String date =
      DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));

  Account() {
    this(DATABASE);
  }

  /** Speaks of the container in the database of that name. */
  Account(String database) {
    this.database = database;
  }

  private String container() {
    return "dbs/" + database + "/colls/items";
  }

  static Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      byte[] key = Base64.getDecoder().decode(AccountKeys.WELL_KNOWN);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new BenchFault("This JDK has no HMAC-SHA256", e);
    }
  }

  String readItem(String id, String key) {
    String link = container() + "/docs/" + id;
    return head("GET /" + link, authorization("get", "docs", link)) + keyHeader(key) + "\r\n";
  }

  String createItem(String key, int bodyBytes) {
    return head("POST /" + container() + "/docs", authorization("post", "docs", container()))
        + keyHeader(key)
        + contentHeaders(bodyBytes)
        + "\r\n";
  }

  /** A transaction of several operations; answers bring no items back. */
  String batch(String key, int bodyBytes) {
    return head("POST /" + container() + "/docs", authorization("post", "docs", container()))
        + keyHeader(key)
        + "x-ms-cosmos-is-batch-request: true\r\nx-ms-cosmos-batch-atomic: true\r\n"
        + "prefer: return=minimal\r\n"
        + contentHeaders(bodyBytes)
        + "\r\n";
  }

  /** What has changed since a transaction in the container's first partition. */
  String changes(String seen, int maxItems) {
    return head("GET /" + container() + "/docs", authorization("get", "docs", container()))
        + "a-im: Incremental Feed\r\nx-ms-documentdb-partitionkeyrangeid: 0\r\n"
        + ("x-ms-max-item-count: " + maxItems + "\r\nif-none-match: \"" + seen + "\"\r\n")
        + "\r\n";
  }

  /** Asks all partitions, a page at a time. */
  String query(String body, int maxItems, String continuation) {
    String more = continuation.isEmpty() ? "" : "x-ms-continuation: " + continuation + "\r\n";
    return page(body, maxItems, "x-ms-documentdb-query-enablecrosspartition: true\r\n" + more);
  }

  /** Asks one logical partition for its first page. */
  String queryOfKey(String body, int maxItems, String key) {
    return page(body, maxItems, keyHeader(key));
  }

  private String page(String body, int maxItems, String moreHeaders) {
    return head("POST /" + container() + "/docs", authorization("post", "docs", container()))
        + ("x-ms-documentdb-isquery: true\r\nx-ms-max-item-count: " + maxItems + "\r\n")
        + moreHeaders
        + ("content-type: application/query+json\r\ncontent-length: " + body.length() + "\r\n")
        + "\r\n"
        + body;
  }

  String createDatabase() {
    return createResource("dbs", "", "{\"id\":\"" + database + "\"}", "");
  }

  String createContainer(String body, String moreHeaders) {
    return createResource("colls", "dbs/" + database, body, moreHeaders);
  }

  String createProcedure(String body) {
    return createResource("sprocs", container(), body, "");
  }

  /** Without arguments. */
  String execute(String procedure, String key) {
    String link = container() + "/sprocs/" + procedure;
    return head("POST /" + link, authorization("post", "sprocs", link))
        + keyHeader(key)
        + contentHeaders(2)
        + "\r\n[]";
  }

  private String createResource(String type, String parentLink, String body, String moreHeaders) {
    String path = parentLink.isEmpty() ? "/" + type : "/" + parentLink + "/" + type;
    return head("POST " + path, authorization("post", type, parentLink))
        + moreHeaders
        + contentHeaders(body.length())
        + "\r\n"
        + body;
  }

  /** To the management API: reads are signed over no resource, others over path and body. */
  String manage(String verb, String path, String body) {
    if (verb.equals("GET")) {
      return head(verb + " " + path, authorization("get", "", "")) + "\r\n";
    }
    String digest = digest(body);
    String link = path.substring(1) + " " + digest;
    return head(verb + " " + path, authorization(verb.toLowerCase(Locale.ROOT), "", link))
        + ("x-orrery-content-sha256: " + digest + "\r\n")
        + (body.isEmpty() ? "" : contentHeaders(body.length()))
        + "\r\n"
        + body;
  }

  private static String digest(String body) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new BenchFault("This JDK has no SHA-256", e);
    }
  }

  private static String contentHeaders(int bodyBytes) {
    return "content-type: application/json\r\ncontent-length: " + bodyBytes + "\r\n";
  }

  private static String keyHeader(String key) {
    return "x-ms-documentdb-partitionkey: [\"" + key + "\"]\r\n";
  }

  /** Both sides are sent the same bytes, so the host does not name a port. */
  private String head(String methodAndPath, String authorization) {
    return methodAndPath
        + " HTTP/1.1\r\nhost: localhost\r\nuser-agent: orrery-bench/1\r\n"
        + "accept: application/json\r\ncache-control: no-cache\r\nx-ms-version: 2020-07-15\r\n"
        + "x-ms-date: "
        + date
        + "\r\nauthorization: "
        + authorization
        + "\r\n";
  }

  private String authorization(String verb, String type, String link) {
    String payload =
        verb + "\n" + type + "\n" + link + "\n" + date.toLowerCase(Locale.ROOT) + "\n\n";
    byte[] signature = mac.doFinal(payload.getBytes(StandardCharsets.UTF_8));
    return URLEncoder.encode(
        "type=master&ver=1.0&sig=" + Base64.getEncoder().encodeToString(signature),
        StandardCharsets.UTF_8);
  }
}
