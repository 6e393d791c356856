package io.orrery.routing;

import io.orrery.operation.Admission;
import io.orrery.operation.Etag;
import io.orrery.operation.Grant;
import io.orrery.operation.Resource;
import io.orrery.routing.catalog.PermissionEntry;
import io.orrery.routing.catalog.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Grants as clients carry them: {@code type=resource&ver=1&sig=SIGNATURE;GRANT;}, both in base64.
 * The grant is readable, the signature makes it ours.
 */
final class ResourceTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SIGNATURE_BYTES = 32;
  private static final String BEGIN = "type=resource&ver=1&sig=";
  private static final String TYPE = "type=resource&";
  private static final String SIGNATURE = "sig=";
  private static final String UNREADABLE =
      "The resource token is not one: it is written type=resource&ver=1&sig=…;…; as permissions"
          + " show it in _token.";
  private static final String CHANGED =
      "The resource token was not made by this account, or was changed on its way. Read the"
          + " permission again for a new one.";

  private final SigningKeys keys;
  private final InstantSource clock;

  ResourceTokens(Supplier<Secrets> secrets, InstantSource clock) {
    this.keys = new SigningKeys(secrets, ResourceTokens::own);
    this.clock = clock;
  }

  /** A key of their own: nothing else that the secret signs can be taken for a token. */
  private static SecretKeySpec own(byte[] secret) {
    byte[] bytes = sign(new SecretKeySpec(secret, ALGORITHM), "resource tokens");
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The permission with a new token. */
  Resource show(PermissionEntry permission, int validSeconds) {
    return permission.resource(seal(permission.grant(nowSeconds() + validSeconds)));
  }

  boolean isOver(Grant grant) {
    return nowSeconds() >= grant.expirySeconds();
  }

  private long nowSeconds() {
    return clock.instant().getEpochSecond();
  }

  private String seal(Grant grant) {
    String text =
        String.join(
            "\n",
            grant.permissionRid(),
            grant.permission().text(),
            grant.resourceRid(),
            Long.toString(grant.expirySeconds()));
    return BEGIN + base64(sign(keys.current(), text)) + ";" + base64(utf8(text)) + ";";
  }

  /** The grant of a token that we made, whether it is in force or not. */
  Admission open(String token) {
    int signature = token.indexOf(SIGNATURE);
    if (!token.startsWith(TYPE) || signature < 0) {
      return new Admission.Unreadable(UNREADABLE);
    }
    List<String> parts = List.of(token.substring(signature + SIGNATURE.length()).split(";", -1));
    if (parts.size() != 3 || !parts.get(2).isEmpty()) {
      return new Admission.Unreadable(UNREADABLE);
    }
    byte @Nullable [] signed = decode(parts.get(0));
    byte @Nullable [] grant = decode(parts.get(1));
    if (signed == null || signed.length != SIGNATURE_BYTES || grant == null) {
      return new Admission.Unreadable(UNREADABLE);
    }
    String text = new String(grant, StandardCharsets.UTF_8);
    if (!isOurs(signed, text)) {
      return new Admission.Refused(CHANGED);
    }
    List<String> lines = List.of(text.split("\n", -1));
    return new Admission.Granted(
        new Grant(
            lines.get(0), new Etag(lines.get(1)), lines.get(2), Long.parseLong(lines.get(3))));
  }

  private boolean isOurs(byte[] signature, String text) {
    for (SecretKeySpec key : keys.all()) {
      if (MessageDigest.isEqual(signature, sign(key, text))) {
        return true;
      }
    }
    return false;
  }

  /** Only as we write it: base64 has several forms of the same bytes. */
  private static byte @Nullable [] decode(String part) {
    try {
      byte[] bytes = Base64.getDecoder().decode(part);
      return base64(bytes).equals(part) ? bytes : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static byte[] sign(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(utf8(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
