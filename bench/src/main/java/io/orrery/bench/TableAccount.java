package io.orrery.bench;

import io.orrery.operation.AccountKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests of the Table protocol, signed at one moment.
 *
 * @param prefix what stands before every path
 */
record TableAccount(String name, String prefix, Mac mac, String date) {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PEER = "devstoreaccount1";
  private static final String PEER_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  static TableAccount orrery() {
    return of("localhost", "", AccountKeys.WELL_KNOWN);
  }

  /** The account that every Azurite has. */
  static TableAccount azurite() {
    return of(PEER, "/" + PEER, PEER_KEY);
  }

  private static TableAccount of(String name, String prefix, String key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), ALGORITHM));
      String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
      return new TableAccount(name, prefix, mac, date);
    } catch (GeneralSecurityException e) {
      throw new BenchFault("This JDK has no HMAC-SHA256", e);
    }
  }

  String request(String verb, String path, String query, String type, String body) {
    String signed = date + "\n/" + name + prefix + path;
    byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
    return verb
        + (" " + prefix + path + query + " HTTP/1.1\r\nhost: localhost\r\n")
        + "accept: application/json;odata=minimalmetadata\r\nx-ms-version: 2019-02-02\r\n"
        + ("DataServiceVersion: 3.0\r\nx-ms-date: " + date + "\r\n")
        + ("authorization: SharedKeyLite " + name + ":")
        + (Base64.getEncoder().encodeToString(signature) + "\r\n")
        + (body.isEmpty()
            ? ""
            : "content-type: " + type + "\r\ncontent-length: " + body.length() + "\r\n")
        + "\r\n"
        + body;
  }
}
