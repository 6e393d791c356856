package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.AccountKeys;
import io.orrery.operation.Admission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Signatures were computed with Python's hmac module from the documented payload. */
class AuthenticatorTest {
  private static final String DATE = "Sun, 15 Nov 2026 03:00:00 GMT";
  private static final Instant NOW = Instant.parse("2026-11-15T03:05:00Z");
  private static final String READ_ONLY = "c2Vjb25kYXJ5LWtleS1mb3ItdGVzdHM=";
  private static final String READ_DATABASES = "/IUBdL6uDcBQO44KCqXSJJ/9NmA20Zr9TRrAk5bw010=";
  private static final String ACCOUNT = "F90eRBQKt6uJ4JEvzqgO8CjLGdSjIcyHkM2h4CgOJog=";
  private static final String OFFER = "ydtjjl1U5ChXSaQK3W90cBJE6619l/KB20zx7FH2x6I=";

  private final Authenticator authenticator = at(NOW);
  private final Authenticator.KeyHint hint = new Authenticator.KeyHint();

  private static Authenticator at(Instant now) {
    var keys = new AccountKeys(List.of("b3RoZXI=", AccountKeys.WELL_KNOWN), List.of(READ_ONLY));
    return new Authenticator(
        () -> keys,
        InstantSource.fixed(now),
        token -> new Admission.Unreadable("Resource tokens are not read here."));
  }

  private Access admit(String verb, String path, @Nullable String token) {
    return admit(authenticator, new Authenticator.Signed(verb, token, DATE, null), path);
  }

  private Access admit(Authenticator by, Authenticator.Signed signed, String path) {
    return by.admit(signed, Objects.requireNonNull(ResourcePath.parse(path)), hint);
  }

  private static String token(String signature) {
    return "type=master&ver=1.0&sig=" + signature;
  }

  private static NosqlError denied(Access access) {
    return assertInstanceOf(Access.Denied.class, access).error();
  }

  @Test
  void signaturesOverNamesAreAccepted() {
    assertEquals(Access.Granted.READ_WRITE, admit("GET", "/", token(ACCOUNT)));
    String item = "aT8hIDgBVxT49LziCwNg9vBk9TwRFGRDZ76J9xyWGC0=";
    String itemPath = "/dbs/shop/colls/orders/docs/Order%201";
    assertEquals(Access.Granted.READ_WRITE, admit("GET", itemPath, token(item)));
    String create = "BB7j2wzp1aGEvUkOnrt7uHkH4eKRKFzRWE2Ur0sNzY8=";
    assertEquals(
        Access.Granted.READ_WRITE, admit("POST", "/dbs/shop/colls/orders/docs/", token(create)));
    String unicode = "ZbxAT7hNJp6aM0ZWv9p0BpAySqpdqxTlEq59OLKYlqg=";
    String unicodePath = "/dbs/shop/colls/orders/docs/%E5%8F%B0%E5%8C%97?x=1";
    assertEquals(Access.Granted.READ_WRITE, admit("GET", unicodePath, token(unicode)));
  }

  @Test
  void signaturesOverTheLastRidAreAccepted() {
    String ranges = "0tI2kthlEq9saOjUcrsCzwzMiGEqMh5SOuXJ2TsEQhM=";
    assertEquals(
        Access.Granted.READ_WRITE,
        admit("GET", "/dbs/DJB7AA==/colls/DJB7AI1lZHo=/pkranges", token(ranges)));
    assertEquals(Access.Granted.READ_WRITE, admit("PUT", "/offers/AUAA", token(OFFER)));
    String container = "HYJeys7huiM9OO1Uw39mzG568FUJlUH0lHK72Mu/QJw=";
    assertEquals(
        Access.Granted.READ_WRITE,
        admit("PUT", "/dbs/DJB7AA==/colls/DJB7AI1lZHo=", token(container)));
  }

  @Test
  void deletionOfALogicalPartitionIsSignedAsItsContainer() {
    String signature = "/ehhyCB43QWGxWvVYU2l2CISfG/6JfnRmuLgiilDmB4=";
    String path = "/dbs/shop/colls/orders/operations/partitionkeydelete";
    assertEquals(Access.Granted.READ_WRITE, admit("POST", path, token(signature)));
  }

  @Test
  void encodedTokensAreAcceptedInBothCases() {
    String upper = "type%3Dmaster%26ver%3D1.0%26sig%3D" + OFFER.replace("/", "%2F");
    assertEquals(Access.Granted.READ_WRITE, admit("PUT", "/offers/AUAA", upper));
    String lower = "type%3dmaster%26ver%3d1.0%26sig%3d" + OFFER.replace("=", "%3d");
    assertEquals(Access.Granted.READ_WRITE, admit("PUT", "/offers/AUAA", lower));
  }

  @Test
  void readOnlyKeysAreToldApart() {
    assertEquals(Access.Granted.READ_ONLY, admit("GET", "/dbs", token(READ_DATABASES)));
  }

  @Test
  void theDateHeaderServesWhereTheOtherIsMissing() {
    String signature = "KoVAyOVmsUE3a3JBUzAh0zrCYFWyKkXYvZhVz6+qEfI=";
    var signed = new Authenticator.Signed("GET", token(signature), null, DATE);
    assertEquals(Access.Granted.READ_WRITE, admit(authenticator, signed, "/dbs"));
  }

  @Test
  void theDateHeaderServesForRidsToo() {
    // Over "get\ncolls\ndjb7ai1lzho=\n\nDATE\n", in lower case, with the well-known key.
    var signer = new Signer(new AccountKeys(List.of(AccountKeys.WELL_KNOWN), List.of()));
    signer.payload("GET", "colls", "djb7ai1lzho=", "", DATE);
    String signature = Base64.getEncoder().encodeToString(signer.signature(0));
    var signed = new Authenticator.Signed("GET", token(signature), null, DATE);
    String path = "/dbs/DJB7AA==/colls/DJB7AI1lZHo=";
    assertEquals(Access.Granted.READ_WRITE, admit(authenticator, signed, path));
  }

  @Test
  void aDateThatTheHttpClientAddedIsNotSigned() {
    var signed = new Authenticator.Signed("GET", token(ACCOUNT), DATE, "Mon, 16 Nov 2026");
    assertEquals(Access.Granted.READ_WRITE, admit(authenticator, signed, "/"));
  }

  @Test
  void missingTokensAreTold() {
    NosqlError error = denied(admit("GET", "/", null));
    assertEquals(401, error.status());
    assertTrue(error.text().startsWith("Required Header authorization is missing."));
  }

  @Test
  void aWrongSignatureIsToldThePayload() {
    NosqlError error = denied(admit("POST", "/dbs/shop/colls/orders/docs", token(ACCOUNT)));
    assertEquals(401, error.status());
    String payload = "'post\ndocs\ndbs/shop/colls/orders\nsun, 15 nov 2026 03:00:00 gmt\n\n'";
    assertTrue(error.text().endsWith(payload), error.text());
  }

  @Test
  void datesMoreThanFifteenMinutesAwayAreRefused() {
    var signed = new Authenticator.Signed("GET", token(ACCOUNT), DATE, null);
    Instant date = Instant.parse("2026-11-15T03:00:00Z");
    assertEquals(Access.Granted.READ_WRITE, admit(at(date.plusSeconds(15 * 60)), signed, "/"));
    for (int seconds : List.of(15 * 60 + 1, -15 * 60 - 1)) {
      NosqlError error = denied(admit(at(date.plusSeconds(seconds)), signed, "/"));
      assertEquals(403, error.status());
      assertTrue(error.text().contains("(token start time: " + DATE), error.text());
    }
  }

  @Test
  void otherTokensAreRefusedWithTheReason() {
    for (String token :
        List.of(
            "",
            "master",
            "type=master&ver=1.0&sig=%%%",
            "type=master&ver=1.0&sig=a",
            "type=resource&ver=1&sig=abc;def;",
            "type=aad&ver=1.0&sig=eyJ0eXAi",
            "type=master&ver=1.0",
            token(""))) {
      assertEquals(401, denied(admit("GET", "/", token)).status(), token);
    }
  }
}
