package io.orrery.table;

import io.orrery.http.Origin;
import io.orrery.operation.Keyword;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A shared access signature: of the account, or of a table. */
final class SharedAccess {
  private static final String SERVICE = "t";

  private final QueryString given;
  private final String account;
  private final @Nullable String table;

  SharedAccess(QueryString given, String account) {
    this.given = given;
    this.account = account;
    this.table = given.get("tn");
  }

  /** The texts that the signature may cover: versions of the protocol differ. */
  List<String[]> payloads() {
    if (table != null) {
      return List.<String[]>of(
          new String[] {
            given.text("sp"),
            given.text("st"),
            given.text("se"),
            "/table/" + account + "/" + Keyword.lower(table),
            given.text("si"),
            given.text("sip"),
            given.text("spr"),
            given.text("sv"),
            given.text("spk"),
            given.text("srk"),
            given.text("epk"),
            given.text("erk")
          });
    }
    String[] older = {
      account,
      given.text("sp"),
      given.text("ss"),
      given.text("srt"),
      given.text("st"),
      given.text("se"),
      given.text("sip"),
      given.text("spr"),
      given.text("sv"),
      ""
    };
    String[] newer = new String[older.length + 1];
    System.arraycopy(older, 0, newer, 0, older.length - 1);
    newer[older.length - 1] = given.text("ses");
    newer[older.length] = "";
    return List.of(older, newer);
  }

  /** What it allows to a request that came now from there. */
  Access access(Origin origin, TablePath path, Instant now) {
    if (given.get("si") != null) {
      return denied("AuthenticationFailed", "Stored access policies are not served.");
    }
    if (hasRowWithoutPartition("spk", "srk") || hasRowWithoutPartition("epk", "erk")) {
      return denied(
          "AuthenticationFailed",
          "Server failed to authenticate the request. A bound of row keys (srk, erk) needs the"
              + " partition key that it is in (spk, epk).");
    }
    Instant expiry = time(given.text("se"));
    Instant start = given.get("st") == null ? Instant.MIN : time(given.text("st"));
    if (expiry == null || start == null || now.isBefore(start) || !now.isBefore(expiry)) {
      return denied(
          "AuthenticationFailed",
          "Server failed to authenticate the request. Signature not valid in the specified time"
              + " frame.");
    }
    String protocols = given.text("spr");
    if (!origin.tls() && !protocols.isEmpty() && !List.of(protocols.split(",")).contains("http")) {
      return denied(
          "AuthorizationProtocolMismatch",
          "This request is not authorized to perform this operation using this protocol.");
    }
    String addresses = given.get("sip");
    if (addresses != null && !isFrom(addresses, origin.remote())) {
      return denied(
          "AuthorizationSourceIPMismatch",
          "This request is not authorized to perform this operation using this source IP.");
    }
    return table == null ? ofAccount(path) : ofTable(table);
  }

  private boolean hasRowWithoutPartition(String partitionKey, String rowKey) {
    return table != null && given.get(partitionKey) == null && given.get(rowKey) != null;
  }

  private Access ofTable(String name) {
    return new Access.Granted(
        entityRights(),
        new Access.Part(
            name, given.get("spk"), given.get("srk"), given.get("epk"), given.get("erk")));
  }

  private Access ofAccount(TablePath path) {
    if (!given.text("ss").contains(SERVICE)) {
      return denied(
          "AuthorizationServiceMismatch",
          "This request is not authorized to perform this operation using this service.");
    }
    String types = given.text("srt");
    boolean fits =
        switch (path.shape()) {
          case SERVICE, UNKNOWN -> types.contains("s");
          case TABLES -> types.contains("c") || types.contains("s");
          case TABLE -> types.contains("c");
          case ENTITIES, ENTITY, BATCH -> types.contains("o");
        };
    if (!fits) {
      return denied(
          "AuthorizationResourceTypeMismatch",
          "This request is not authorized to perform this operation using this resource type.");
    }
    Set<Right> rights = entityRights();
    String permissions = given.text("sp");
    if (permissions.contains("l") || permissions.contains("r")) {
      rights.add(Right.LIST_TABLES);
    }
    if (permissions.contains("c") || permissions.contains("w")) {
      rights.add(Right.CREATE_TABLE);
    }
    if (permissions.contains("d")) {
      rights.add(Right.DELETE_TABLE);
    }
    return new Access.Granted(rights, null);
  }

  private Set<Right> entityRights() {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    String permissions = given.text("sp");
    for (int i = 0; i < permissions.length(); i++) {
      switch (permissions.charAt(i)) {
        case 'r' -> rights.add(Right.READ);
        case 'a' -> rights.add(Right.ADD);
        case 'u' -> rights.add(Right.UPDATE);
        case 'd' -> rights.add(Right.DELETE);
        default -> {}
      }
    }
    return rights;
  }

  /** The same without what changes anything. */
  static Access readOnly(Access access) {
    return switch (access) {
      case Access.Granted(var rights, var part) -> {
        Set<Right> reading = EnumSet.of(Right.READ, Right.LIST_TABLES);
        reading.retainAll(rights);
        yield new Access.Granted(reading, part);
      }
      case Access.Denied denied -> denied;
    };
  }

  private static @Nullable Instant time(String text) {
    try {
      if (text.indexOf('T') < 0) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException notOne) {
      return null;
    }
  }

  private static boolean isFrom(String addresses, @Nullable InetSocketAddress remote) {
    if (remote == null || remote.getAddress() == null) {
      return false;
    }
    int dash = addresses.indexOf('-');
    BigInteger low = number(dash < 0 ? addresses : addresses.substring(0, dash));
    BigInteger high = dash < 0 ? low : number(addresses.substring(dash + 1));
    BigInteger from = new BigInteger(1, remote.getAddress().getAddress());
    return low != null && high != null && low.compareTo(from) <= 0 && from.compareTo(high) <= 0;
  }

  private static @Nullable BigInteger number(String address) {
    try {
      return new BigInteger(1, InetAddress.ofLiteral(address.strip()).getAddress());
    } catch (IllegalArgumentException notOne) {
      return null;
    }
  }

  private static Access denied(String code, String text) {
    return new Access.Denied(TableError.of(403, code, text));
  }
}
