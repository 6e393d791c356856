package io.orrery.nosql;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.http.HttpDate;
import io.orrery.http.Percent;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Admission;
import io.orrery.operation.Grant;
import io.orrery.operation.Keyword;
import java.time.InstantSource;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides by the authorization header what a request may do. */
final class Authenticator {
  private static final long WINDOW_SECONDS = 15 * 60;
  private static final String MISSING =
      "Required Header authorization is missing. Ensure a valid Authorization token is passed.";
  private static final String MALFORMED =
      "The format of the value of HTTP header 'authorization' is invalid.";
  private static final String NO_DATE =
      "The input date header is invalid format. Please pass in RFC 1123 style date format.";

  private final Supplier<AccountKeys> keys;
  private final InstantSource clock;
  private final Function<String, Admission> tokens;
  private final FastThreadLocal<Signer> signers =
      new FastThreadLocal<>() {
        @Override
        protected Signer initialValue() {
          return new Signer(keys.get());
        }
      };

  /**
   * @param keys those that are valid now
   * @param tokens looks at resource tokens
   */
  Authenticator(
      Supplier<AccountKeys> keys, InstantSource clock, Function<String, Admission> tokens) {
    this.keys = keys;
    this.clock = clock;
    this.tokens = tokens;
    // An unusable key is told at the start, not by the first request.
    var _ = new Signer(keys.get());
  }

  /**
   * What the signature covers beside the path.
   *
   * @param managing what is signed in place of the link by requests that manage; else null
   */
  record Signed(
      String verb,
      @Nullable String token,
      @Nullable String msDate,
      @Nullable String date,
      @Nullable String managing) {

    Signed(String verb, @Nullable String token, @Nullable String msDate, @Nullable String date) {
      this(verb, token, msDate, date, null);
    }

    String link(ResourcePath path) {
      return managing == null ? path.link() : managing;
    }
  }

  Access admit(Signed signed, ResourcePath path, KeyHint hint) {
    if (signed.token() == null) {
      return denied(401, "Unauthorized", MISSING);
    }
    String token = Percent.decode(signed.token());
    if (token == null) {
      return malformed();
    }
    if (token.startsWith("type=resource&")) {
      return shown(token);
    }
    if (token.startsWith("type=aad&")) {
      return denied(401, "Unauthorized", "AAD tokens are not served: sign with an account key.");
    }
    byte @Nullable [] signature = signatureOf(token);
    return signature == null ? malformed() : check(signed, path, signature, hint);
  }

  private Access shown(String token) {
    return switch (tokens.apply(token)) {
      case Admission.Granted(Grant grant) -> new Access.Token(grant);
      case Admission.Unreadable(String message) -> denied(401, "Unauthorized", message);
      case Admission.Refused(String message) -> denied(403, "Forbidden", message);
    };
  }

  private Access check(Signed signed, ResourcePath path, byte[] signature, KeyHint hint) {
    Signer signer = signer();
    String msDate = text(signed.msDate());
    String date = text(signed.date());
    String link = signed.link(path);
    int key = matchingKey(signer, signed, path, link, signature, hint);
    String ridLink = key < 0 && signed.managing() == null ? path.ridLink() : null;
    if (ridLink != null) {
      key = matchingKey(signer, signed, path, ridLink, signature, hint);
    }
    if (key < 0) {
      return wrongSignature(signed.verb(), path.type(), link, msDate, date);
    }
    long seconds = signer.seconds(msDate.isEmpty() ? date : msDate);
    if (seconds == HttpDate.NONE) {
      return denied(401, "Unauthorized", NO_DATE);
    }
    long now = clock.instant().getEpochSecond();
    if (Math.abs(now - seconds) > WINDOW_SECONDS) {
      return outOfWindow(seconds, now);
    }
    return signer.writes(key) ? Access.Granted.READ_WRITE : Access.Granted.READ_ONLY;
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

  /** Remembers which key a connection used last: it is tried first. */
  static final class KeyHint {
    private int key;
  }

  private static int matchingKey(
      Signer signer,
      Signed signed,
      ResourcePath path,
      String link,
      byte[] signature,
      KeyHint hint) {
    String msDate = text(signed.msDate());
    String date = text(signed.date());
    signer.payload(signed.verb(), path.type(), link, msDate, date);
    int key = signer.matching(hint.key, signature);
    // HTTP clients add a date of their own, which the SDKs do not sign beside x-ms-date.
    if (key < 0 && !msDate.isEmpty() && !date.isEmpty()) {
      signer.payload(signed.verb(), path.type(), link, msDate, "");
      key = signer.matching(hint.key, signature);
    }
    hint.key = Math.max(key, 0);
    return key;
  }

  private static String text(@Nullable String header) {
    return header == null ? "" : header;
  }

  private static byte @Nullable [] signatureOf(String token) {
    int begin = token.indexOf("sig=");
    if (begin < 0 || !token.startsWith("type=master&")) {
      return null;
    }
    int end = token.indexOf('&', begin);
    try {
      return Base64.getDecoder().decode(token.substring(begin + 4, end < 0 ? token.length() : end));
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static Access wrongSignature(
      String verb, String type, String link, String msDate, String date) {
    String payload =
        String.join(
            "\n", Keyword.lower(verb), type, link, Keyword.lower(msDate), Keyword.lower(date), "");
    return denied(
        401,
        "Unauthorized",
        "The input authorization token can't serve the request. The wrong key is being used or the"
            + " expected payload is not built as per the protocol. For more info:"
            + " https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to"
            + " sign: '"
            + payload
            + "'");
  }

  private static Access outOfWindow(long seconds, long now) {
    return denied(
        403,
        "Forbidden",
        "The authorization token is not valid at the current time. Please create another token and"
            + " retry (token start time: "
            + HttpDate.text(seconds)
            + ", token expiry time: "
            + HttpDate.text(seconds + WINDOW_SECONDS)
            + ", current server time: "
            + HttpDate.text(now)
            + ").");
  }

  private static Access malformed() {
    return denied(401, "Unauthorized", MALFORMED);
  }

  private static Access denied(int status, String code, String text) {
    return new Access.Denied(NosqlError.plain(status, code, text));
  }
}
