package io.orrery.bench;

import java.util.List;

/** Which variants are measured. */
enum IndexOption {
  both,
  on,
  off;

  /** Whether all properties are indexed, for each variant in the order of measuring. */
  List<Boolean> variants() {
    return switch (this) {
      case both -> List.of(true, false);
      case on -> List.of(true);
      case off -> List.of(false);
    };
  }
}
