package io.orrery.server;

import io.orrery.operation.AccountKeys;
import io.orrery.script.ScriptHost;
import io.orrery.script.ScriptSettings;
import io.orrery.table.TableConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The run from which the JVM learns which classes a start needs, for its cache: both engines start,
 * answer requests of each kind and stop. A process for scripts makes a cache of its own. The
 * launcher runs it once per build.
 */
final class Training {
  private static final String KEY_HEADER = "x-ms-documentdb-partitionkey: [\"p\"]\r\n";

  private Training() {}

  /** Trains with data below the given folder, which is left as it was. */
  public static void main(String[] arguments) throws Exception {
    Path data = Files.createTempDirectory(Path.of(arguments[0]), "data");
    try {
      for (String engine : List.of("memory", "rocksdb")) {
        String[] serve = {"serve", "--engine", engine, "--data", data.toString(), "--port", "0"};
        var given = Arguments.ofServe(serve).orElseThrow();
        try (Server server = Server.start(Settings.read(given, Map.of()))) {
          converse(server.address());
          InetSocketAddress tables = server.tableAddress();
          if (tables != null) {
            converseInTables(tables);
          }
        }
      }
    } finally {
      delete(data);
    }
    ScriptHost.train(ScriptSettings.DEFAULT, Path.of(arguments[0], "script.aot"));
  }

  private static void converse(InetSocketAddress address) throws Exception {
    say(address, "GET /ready HTTP/1.1\r\n", "");
    send(address, "GET", "", "", "/", "", "");
    send(address, "POST", "dbs", "", "/dbs", "", "{\"id\":\"d\"}");
    String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}";
    send(address, "POST", "colls", "dbs/d", "/dbs/d/colls", "", container);
    send(address, "GET", "pkranges", "dbs/d/colls/c", "/dbs/d/colls/c/pkranges", "", "");
    String item =
        "{\"id\":\"i\",\"pk\":\"p\",\"numbers\":[1,2.5],\"nested\":{\"a\":null,\"b\":true}}";
    send(address, "POST", "docs", "dbs/d/colls/c", "/dbs/d/colls/c/docs", KEY_HEADER, item);
    String link = "dbs/d/colls/c/docs/i";
    send(address, "GET", "docs", link, "/" + link, KEY_HEADER, "");
    send(address, "PUT", "docs", link, "/" + link, KEY_HEADER, item);
    send(address, "GET", "docs", "dbs/d/colls/c", "/dbs/d/colls/c/docs", "", "");
    send(address, "DELETE", "docs", link, "/" + link, KEY_HEADER, "");
    send(address, "DELETE", "dbs", "dbs/d", "/dbs/d", "", "");
  }

  private static void converseInTables(InetSocketAddress address) throws Exception {
    sendToTable(address, "POST", "/Tables", "", "{\"TableName\":\"trained\"}");
    String entity = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"text\":\"t\",\"number\":1.5}";
    sendToTable(address, "POST", "/trained", "", entity);
    String path = "/trained(PartitionKey='p',RowKey='r')";
    sendToTable(address, "PATCH", path, "", "{\"more\":true}");
    sendToTable(address, "GET", path, "", "");
    sendToTable(address, "GET", "/trained()", "?$filter=text%20eq%20't'", "");
    sendToTable(address, "DELETE", "/Tables('trained')", "", "");
  }

  private static void sendToTable(
      InetSocketAddress address, String verb, String path, String query, String body)
      throws IOException, GeneralSecurityException {
    String date = date();
    String signature = signature(date + "\n/" + TableConfig.ACCOUNT + path);
    String head =
        verb
            + (" " + path + query + " HTTP/1.1\r\nx-ms-date: " + date)
            + ("\r\nauthorization: SharedKeyLite " + TableConfig.ACCOUNT + ":" + signature)
            + "\r\nContent-Type: application/json\r\n";
    say(address, head, body);
  }

  private static String date() {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
  }

  private static String signature(String payload) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(AccountKeys.WELL_KNOWN), "HmacSHA256"));
    return Base64.getEncoder()
        .encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
  }

  private static void send(
      InetSocketAddress address,
      String verb,
      String type,
      String link,
      String path,
      String headers,
      String body)
      throws IOException, GeneralSecurityException {
    String date = date();
    String payload =
        (verb + "\n" + type + "\n" + link + "\n" + date + "\n\n").toLowerCase(Locale.ROOT);
    String token = "type=master&ver=1.0&sig=" + signature(payload);
    say(
        address,
        verb
            + " "
            + path
            + " HTTP/1.1\r\nx-ms-date: "
            + date
            + "\r\nauthorization: "
            + URLEncoder.encode(token, StandardCharsets.UTF_8)
            + "\r\n"
            + headers,
        body);
  }

  private static void say(InetSocketAddress address, String head, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String end =
        "Host: localhost\r\nConnection: close\r\nContent-Length: " + content.length + "\r\n\r\n";
    try (var socket = new Socket(address.getAddress(), address.getPort())) {
      socket.getOutputStream().write((head + end).getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(content);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!answer.startsWith("HTTP/1.1 2")) {
        throw new IOException("Training went wrong: " + head + answer);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
