package io.orrery.query.index;

/** Something that items have entries for: a path, or several in a composite index. */
public sealed interface Indexed permits IndexPath, CompositeIndex {
  /** The first eight bytes of its terms; never zero. */
  long hash();
}
