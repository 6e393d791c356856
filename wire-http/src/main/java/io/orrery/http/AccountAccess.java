package io.orrery.http;

import io.orrery.operation.AccountKeys;
import java.util.function.Supplier;

/**
 * How clients of an account get in; the same for every protocol.
 *
 * @param keys those that open it now; asked for by each request, since they can be rotated
 * @param hosts the names under which the server may be asked
 * @param audit learns who was refused and who changed what
 */
public record AccountAccess(Supplier<AccountKeys> keys, OwnHosts hosts, AuditTrail audit) {

  /** Keys that stay, under every name, unwatched. */
  public static AccountAccess of(AccountKeys keys) {
    return new AccountAccess(() -> keys, OwnHosts.ANY, AuditTrail.NONE);
  }
}
