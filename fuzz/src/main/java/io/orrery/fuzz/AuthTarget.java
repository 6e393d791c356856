package io.orrery.fuzz;

import io.orrery.nosql.FuzzedNosql;
import io.orrery.operation.AccountKeys;
import io.orrery.table.FuzzedTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Shows both protocols headers that no key has signed: they admit to nothing. The lines of an input
 * are a request target, a verb, an authorization and two dates.
 */
final class AuthTarget implements Target {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final AccountKeys KEYS =
      new AccountKeys(List.of("a2V5a2V5a2V5a2V5"), List.of("cmVhZHJlYWRyZWFk"));

  private final FuzzedNosql.SignIn nosql = FuzzedNosql.signIn(KEYS, () -> NOW);
  private final FuzzedTable.SignIn table = FuzzedTable.signIn(KEYS, () -> NOW);

  @Override
  public void run(byte[] input) {
    var lines = new ArrayList<>(List.of(Utf8.latin1(input).split("\n", 5)));
    while (lines.size() < 5) {
      lines.add("");
    }
    String target = lines.get(0);
    List<String> headers = lines.subList(2, 5);
    Boolean admitted = nosql.admits(target, lines.get(1), headers);
    Finding.unless(admitted == null || !admitted, "An unsigned request is admitted");
    Finding.unless(!table.admits(target, headers), "An unsigned table request is admitted");
    Set<String> granted = FuzzedTable.sharedAccess(target, NOW);
    Finding.unless(
        granted.isEmpty() || target.contains("sp"), "A signature without rights allows " + granted);
  }
}
