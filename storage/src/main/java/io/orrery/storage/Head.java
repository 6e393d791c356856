package io.orrery.storage;

import org.jspecify.annotations.Nullable;

/**
 * The state of a partition beside its entries: the condition of every commit.
 *
 * @param version counts storage commits; rises by exactly one per commit
 * @param lsn counts transactions; never falls
 * @param epoch names who commits; another one when that changes hands
 * @param commitTicks time of the last commit, 100 ns since 1970, strictly rising
 * @param nextDocument the next unused document sequence
 * @param schema version of the entry layout
 * @param commitId names the commit that wrote this head
 */
public record Head(
    long version,
    long lsn,
    long epoch,
    State state,
    long commitTicks,
    long nextDocument,
    int schema,
    CommitId commitId) {

  /** Whether the partition takes writes, or has moved elsewhere. */
  public enum State {
    OPEN,
    SEALED
  }

  /** Whether this head may be committed over {@code expected}: no version is left out. */
  public boolean follows(@Nullable Head expected) {
    return expected == null || version == expected.version + 1;
  }
}
