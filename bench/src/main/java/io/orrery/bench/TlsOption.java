package io.orrery.bench;

import java.util.List;

/** Which variants are measured. */
enum TlsOption {
  both,
  on,
  off;

  /** Whether TLS is used, for each variant in the order of measuring. */
  List<Boolean> variants() {
    return switch (this) {
      case both -> List.of(false, true);
      case on -> List.of(true);
      case off -> List.of(false);
    };
  }
}
