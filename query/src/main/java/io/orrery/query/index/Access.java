package io.orrery.query.index;

import java.util.List;

/**
 * Which items can have rows: all that have, and possibly others. Items that are only partly indexed
 * ({@link ItemTerms#overflow}) belong to every access and are added by whoever reads the index.
 */
public sealed interface Access {
  /** The index does not help. */
  record Everything() implements Access {}

  /** No item has rows. */
  record Nothing() implements Access {}

  /** Items with an entry in one of the stretches, which are ascending and apart. */
  record Lookup(Indexed index, List<Stretch> stretches) implements Access {
    public Lookup {
      stretches = List.copyOf(stretches);
    }
  }

  /** Items without any entry at the path. */
  record Missing(IndexPath path) implements Access {}

  /** Items that are in each part. */
  record All(List<Access> parts) implements Access {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /** Items that are in any part. */
  record Any(List<Access> parts) implements Access {
    public Any {
      parts = List.copyOf(parts);
    }
  }
}
