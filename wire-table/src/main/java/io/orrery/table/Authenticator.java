package io.orrery.table;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.http.HttpDate;
import io.orrery.http.Origin;
import io.orrery.http.Percent;
import io.orrery.operation.AccountKeys;
import java.time.InstantSource;
import java.util.Base64;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides by signatures what a request may do. */
final class Authenticator {
  private static final long WINDOW_SECONDS = 15 * 60;
  private static final String SHARED_KEY = "SharedKey ";
  private static final String SHARED_KEY_LITE = "SharedKeyLite ";
  private static final TableError FAILED =
      TableError.of(
          403,
          "AuthenticationFailed",
          "Server failed to authenticate the request. Make sure the value of Authorization header"
              + " is formed correctly including the signature.");

  private final String account;
  private final Supplier<AccountKeys> keys;
  private final InstantSource clock;
  private final FastThreadLocal<Signer> signers =
      new FastThreadLocal<>() {
        @Override
        protected Signer initialValue() {
          return new Signer(keys.get());
        }
      };

  /**
   * @param keys those that are valid now
   */
  Authenticator(String account, Supplier<AccountKeys> keys, InstantSource clock) {
    this.account = account;
    this.keys = keys;
    this.clock = clock;
  }

  /** What the signature of a request covers, and where the request came from. */
  record Asked(
      String verb, TablePath path, QueryString parameters, HttpHeaders headers, Origin origin) {

    String header(CharSequence name) {
      String value = headers.get(name);
      return value == null ? "" : value;
    }
  }

  /** Remembers which key a connection used last: it is tried first. */
  static final class KeyHint {
    private int key;
  }

  Access admit(Asked asked, KeyHint hint) {
    String token = asked.header(TableHeaders.AUTHORIZATION);
    if (token.isEmpty()) {
      return asked.parameters().get("sig") == null
          ? new Access.Denied(
              TableError.of(
                  401,
                  "NoAuthenticationInformation",
                  "Server failed to authenticate the request: it has neither an Authorization"
                      + " header nor a shared access signature."))
          : signedAddress(asked, hint);
    }
    boolean lite = token.startsWith(SHARED_KEY_LITE);
    if (!lite && !token.startsWith(SHARED_KEY)) {
      return new Access.Denied(
          TableError.of(
              401,
              "InvalidAuthenticationInfo",
              "Authentication scheme is not supported: sign with an account key (SharedKey,"
                  + " SharedKeyLite) or use a shared access signature."));
    }
    String credential =
        token.substring(lite ? SHARED_KEY_LITE.length() : SHARED_KEY.length()).strip();
    int colon = credential.indexOf(':');
    byte @Nullable [] signature = colon < 0 ? null : decoded(credential.substring(colon + 1));
    if (signature == null || !credential.substring(0, colon).equals(account)) {
      return new Access.Denied(FAILED);
    }
    return sharedKey(asked, lite, signature, hint);
  }

  private Access sharedKey(Asked asked, boolean lite, byte[] signature, KeyHint hint) {
    Signer signer = signer();
    String msDate = asked.header(TableHeaders.MS_DATE);
    String date = msDate.isEmpty() ? asked.header(TableHeaders.DATE) : msDate;
    String raw = asked.path().signed();
    payload(signer, asked, lite, date, raw);
    int key = matchingKey(signer, signature, hint);
    // Clients differ in how they escape the path that they sign.
    String decoded = key < 0 ? Percent.decode(raw) : null;
    if (decoded != null && !decoded.equals(raw)) {
      payload(signer, asked, lite, date, decoded);
      key = matchingKey(signer, signature, hint);
    }
    if (key < 0) {
      return new Access.Denied(FAILED);
    }
    long seconds = signer.seconds(date);
    long now = clock.instant().getEpochSecond();
    if (seconds == HttpDate.NONE || Math.abs(now - seconds) > WINDOW_SECONDS) {
      return new Access.Denied(
          TableError.of(
              403,
              "AuthenticationFailed",
              "Server failed to authenticate the request: the date header '"
                  + Percent.forHeader(date)
                  + "' is not within 15 minutes of the server's time, "
                  + HttpDate.text(now)
                  + "."));
    }
    return signer.writes(key) ? Access.Granted.EVERYTHING : Access.Granted.READ_ONLY;
  }

  private void payload(Signer signer, Asked asked, boolean lite, String date, String path) {
    String component = asked.parameters().get("comp");
    String resource =
        "/"
            + account
            + (path.startsWith("/") ? path : "/" + path)
            + (component == null ? "" : "?comp=" + component);
    if (lite) {
      signer.payload(date, resource);
    } else {
      signer.payload(
          asked.verb(),
          asked.header(TableHeaders.CONTENT_MD5),
          asked.header(TableHeaders.CONTENT_TYPE),
          date,
          resource);
    }
  }

  /** The event loop's signer, made again once the keys have changed. */
  private Signer signer() {
    Signer signer = signers.get();
    AccountKeys now = keys.get();
    if (signer.holds(now)) {
      return signer;
    }
    var renewed = new Signer(now);
    signers.set(renewed);
    return renewed;
  }

  private Access signedAddress(Asked asked, KeyHint hint) {
    var sas = new SharedAccess(asked.parameters(), account);
    byte @Nullable [] signature = decoded(asked.parameters().text("sig"));
    Signer signer = signer();
    for (String[] lines : sas.payloads()) {
      signer.payload(lines);
      int key = signature == null ? -1 : matchingKey(signer, signature, hint);
      if (key >= 0) {
        Access access = sas.access(asked.origin(), asked.path(), clock.instant());
        // Who has but a key for reading cannot give away more.
        return signer.writes(key) ? access : SharedAccess.readOnly(access);
      }
    }
    return new Access.Denied(
        TableError.of(
            403,
            "AuthenticationFailed",
            "Server failed to authenticate the request. Signature did not match."));
  }

  private static int matchingKey(Signer signer, byte[] signature, KeyHint hint) {
    int key = signer.matching(hint.key, signature);
    hint.key = Math.max(key, 0);
    return key;
  }

  private static byte @Nullable [] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}
