package io.orrery.nosql;

import io.orrery.http.KeyedDigests;
import io.orrery.operation.AccountKeys;

/** Signs requests of this protocol. */
final class Signer extends KeyedDigests {
  Signer(AccountKeys keys) {
    super(keys);
  }

  /** Lays out what is signed: verb, type and link, the two dates, each on its line. */
  void payload(String verb, String type, String link, String msDate, String date) {
    clear();
    line(verb, true);
    line(type, false);
    line(link, false);
    line(msDate, true);
    line(date, true);
  }
}
