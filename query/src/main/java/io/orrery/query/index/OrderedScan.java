package io.orrery.query.index;

import java.util.List;

/**
 * An index whose entries come in the order the query asks for.
 *
 * @param stretches where the rows' entries are, ascending and apart, whatever the direction
 * @param backward whether the entries are to be read from the last to the first
 * @param missing whether items without an entry belong to the rows too: before all others, or after
 *     them when backward. Never so for a composite index, which has an entry for every item
 * @param keys how many sort keys the query has; they are the last values of a composite term
 * @param filter what else an item must meet, apart from the stretches
 */
public record OrderedScan(
    Indexed index,
    List<Stretch> stretches,
    boolean backward,
    boolean missing,
    int keys,
    Access filter) {
  public OrderedScan {
    stretches = List.copyOf(stretches);
  }

  public long hash() {
    return index.hash();
  }

  /** Whether the index is a composite one: every item has an entry in it. */
  public boolean coversMissing() {
    return index instanceof CompositeIndex;
  }
}
