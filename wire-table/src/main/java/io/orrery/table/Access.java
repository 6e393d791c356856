package io.orrery.table;

import io.orrery.operation.Keyword;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request's authorization allows. */
sealed interface Access {

  /** How the client is named in the audit log. */
  // A signature may grant equal rights, but only a key has these objects.
  @SuppressWarnings("ReferenceEquality")
  default String caller() {
    return switch (this) {
      case Denied _ -> "none";
      case Granted granted ->
          granted == Granted.EVERYTHING
              ? "key"
              : granted == Granted.READ_ONLY ? "readonly-key" : "sas";
    };
  }

  /** Nothing. */
  record Denied(TableError error) implements Access {}

  /**
   * Some rights.
   *
   * @param part the only entities that they are for; null for all
   */
  record Granted(Set<Right> rights, @Nullable Part part) implements Access {
    static final Granted EVERYTHING = new Granted(EnumSet.allOf(Right.class), null);
    static final Granted READ_ONLY = new Granted(EnumSet.of(Right.READ, Right.LIST_TABLES), null);
  }

  /** One table, or a range of the keys of one; a bound that is null is none. */
  record Part(
      String table,
      @Nullable String startPartitionKey,
      @Nullable String startRowKey,
      @Nullable String endPartitionKey,
      @Nullable String endRowKey) {

    /** Folded as the catalog folds the names of tables, so that both mean the same one. */
    boolean isFor(String name) {
      return Keyword.lower(table).equals(Keyword.lower(name));
    }

    boolean isWhole() {
      return startPartitionKey == null && endPartitionKey == null;
    }

    boolean holds(Entity.Key key) {
      return isBehindStart(key) && isBeforeEnd(key);
    }

    private boolean isBehindStart(Entity.Key key) {
      if (startPartitionKey == null) {
        return true;
      }
      int order = compare(key.partitionKey(), startPartitionKey);
      return order > 0
          || (order == 0 && (startRowKey == null || compare(key.rowKey(), startRowKey) >= 0));
    }

    private boolean isBeforeEnd(Entity.Key key) {
      if (endPartitionKey == null) {
        return true;
      }
      int order = compare(key.partitionKey(), endPartitionKey);
      return order < 0
          || (order == 0 && (endRowKey == null || compare(key.rowKey(), endRowKey) <= 0));
    }

    /** By code points, as queries compare: units of UTF-16 have another order. */
    private static int compare(String left, String right) {
      int end = Math.min(left.length(), right.length());
      for (int i = 0; i < end; i++) {
        char mine = left.charAt(i);
        char other = right.charAt(i);
        if (mine != other) {
          boolean high = Character.isSurrogate(mine);
          return high == Character.isSurrogate(other) ? mine - other : high ? 1 : -1;
        }
      }
      return left.length() - right.length();
    }
  }

  /** Why a request on a table may not do this; null when it may. */
  default @Nullable TableError refusal(Right right, String table, Entity.@Nullable Key key) {
    return switch (this) {
      case Denied(TableError error) -> error;
      case Granted(var rights, Part part) -> {
        if (!rights.contains(right)) {
          yield TableError.of(
              403,
              "AuthorizationPermissionMismatch",
              "This request is not authorized to perform this operation using this permission.");
        }
        boolean inside = part == null || (part.isFor(table) && (key == null || part.holds(key)));
        yield inside
            ? null
            : TableError.of(
                403,
                "AuthorizationFailure",
                "This request is not authorized to perform this operation.");
      }
    };
  }

  /** The table that pays for a request: the only one that it may concern, or the one it names. */
  default String payer(String named) {
    return this instanceof Granted(var rights, Part part) && part != null ? part.table() : named;
  }

  /** The part to which rows of a query are held; null for all. */
  default @Nullable Part bounds() {
    return switch (this) {
      case Granted(var rights, Part part) -> part == null || part.isWhole() ? null : part;
      case Denied _ -> null;
    };
  }
}
