package io.orrery.table;

import io.orrery.http.KeyedDigests;
import io.orrery.operation.AccountKeys;

/** Signs texts that are made of lines. */
final class Signer extends KeyedDigests {
  Signer(AccountKeys keys) {
    super(keys);
  }

  /** Lays out what is signed: lines, the last one without an end. */
  void payload(String... lines) {
    clear();
    for (int i = 0; i < lines.length - 1; i++) {
      line(lines[i], false);
    }
    put(lines[lines.length - 1], false);
  }
}
