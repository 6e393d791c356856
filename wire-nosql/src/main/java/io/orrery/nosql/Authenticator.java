package io.orrery.nosql;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.http.HttpDate;
import io.orrery.http.Percent;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Admission;
import io.orrery.operation.Grant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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

  private final List<String> keys;
  private final int readWriteKeys;
  private final InstantSource clock;
  private final Function<String, Admission> tokens;
  private final FastThreadLocal<Signer> signers =
      new FastThreadLocal<>() {
        @Override
        protected Signer initialValue() {
          return new Signer(keys);
        }
      };

  /**
   * @param tokens looks at resource tokens
   */
  Authenticator(AccountKeys account, InstantSource clock, Function<String, Admission> tokens) {
    this.keys = new ArrayList<>(account.readWrite());
    this.keys.addAll(account.readOnly());
    this.readWriteKeys = account.readWrite().size();
    this.clock = clock;
    this.tokens = tokens;
    // An unusable key is told at the start, not by the first request.
    var _ = new Signer(keys);
  }

  /** What the signature covers beside the path. */
  record Signed(
      String verb, @Nullable String token, @Nullable String msDate, @Nullable String date) {}

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
    Signer signer = signers.get();
    String msDate = signed.msDate() == null ? "" : signed.msDate();
    String date = signed.date() == null ? "" : signed.date();
    signer.payload(signed.verb(), path.type(), path.link(), msDate, date);
    int key = matchingKey(signer, signature, hint);
    // HTTP clients add a date of their own, which the SDKs do not sign beside x-ms-date.
    if (key < 0 && !msDate.isEmpty() && !date.isEmpty()) {
      signer.payload(signed.verb(), path.type(), path.link(), msDate, "");
      key = matchingKey(signer, signature, hint);
    }
    String ridLink = key < 0 ? path.ridLink() : null;
    if (ridLink != null) {
      signer.payload(signed.verb(), path.type(), ridLink, msDate, "");
      key = matchingKey(signer, signature, hint);
    }
    if (key < 0) {
      return wrongSignature(signed.verb(), path, msDate, date);
    }
    long seconds = signer.seconds(msDate.isEmpty() ? date : msDate);
    if (seconds == HttpDate.NONE) {
      return denied(401, "Unauthorized", NO_DATE);
    }
    long now = clock.instant().getEpochSecond();
    if (Math.abs(now - seconds) > WINDOW_SECONDS) {
      return outOfWindow(seconds, now);
    }
    return key < readWriteKeys ? Access.Granted.READ_WRITE : Access.Granted.READ_ONLY;
  }

  /** Remembers which key a connection used last: it is tried first. */
  static final class KeyHint {
    private int key;
  }

  private int matchingKey(Signer signer, byte[] signature, KeyHint hint) {
    if (keys.isEmpty()) {
      return -1;
    }
    if (signer.matches(hint.key, signature)) {
      return hint.key;
    }
    for (int key = 0; key < keys.size(); key++) {
      if (key != hint.key && signer.matches(key, signature)) {
        hint.key = key;
        return key;
      }
    }
    return -1;
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

  private static Access wrongSignature(String verb, ResourcePath path, String msDate, String date) {
    String payload =
        String.join(
            "\n",
            verb.toLowerCase(Locale.ROOT),
            path.type(),
            path.link(),
            msDate.toLowerCase(Locale.ROOT),
            date.toLowerCase(Locale.ROOT),
            "");
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
