/**
 * Layout 1 of a partition's entries; frozen. May depend on: operation.
 *
 * <p>Numbers are big-endian. {@code P} is the logical partition: its effective partition key (raw
 * bytes) and then its partition key (see {@link io.orrery.partition.format.v1.Keys}), each with
 * zero bytes written as {@code 00 FF} and ended by {@code 00 00}, so that entries sort by effective
 * partition key first.
 *
 * <pre>
 * 01 counter(8)                          item: format(1) lsn(8) position(2) ticks(8) terms(4)
 *                                              length of P(2) P  length of id(2) id  body
 * 02 P id                                primary index: counter(8)
 * 03 P counter(8)                        members of a logical partition in order of insertion
 * 04 lsn(8) counter(8)                   latest: one entry per live item, moved by every write
 * 05 lsn(8) origin range(8) position(4)  history: name(16) ticks(8) change(1) counter(8)
 *                                              length of P(2) P  length of id(2) id
 *                                              and where all versions are kept, the item's
 *                                              entry now and before: length(4) entry, twice
 * 06 P                                   logical partition: bytes(8) items(8) last lsn(8)
 * 07 P                                   marker of a deleted logical partition: lsn(8)
 * 08 term counter(8)                     inverted index: nothing; for terms see
 *                                              io.orrery.query.index
 * 09 P number(2) digest(32)              who has the values of a unique key: counter(8)
 * 0A hash(8)                             items with a term at a path outside arrays: count(8)
 * 0B                                     state of the index: JSON with the policy and, while
 *                                              items move to it, the one they come from (null:
 *                                              none was applied), the next counter and the end;
 *                                              how many times that began, unless never
 * 0C                                     sizes of the partition: bytes(8) items(8)
 *                                              logical partitions(8)
 * 0D second(8) counter(8)                items with a ttl of their own, by the second of their end
 * 0E min                                 the last transaction of a range of effective partition
 *                                              keys that is no longer in the history: lsn(8)
 *                                              ticks(8) max; bounds are hexadecimal text, and
 *                                              without both it is the whole partition's
 * </pre>
 *
 * <p>An item whose LSN is not above its logical partition's marker is deleted and waits for its
 * removal; sizes in 06 and 0C do not count it, 08 and 0A do. Without 0B nothing is indexed yet;
 * without 0C the sizes are the sums of 06. The ranges of 0E cover the partition and do not overlap;
 * an lsn of zero says that nothing of the range is gone, as does the lack of any 0E. The name in 05
 * is the mark of the request that made the change, or the id of the commit where it had none.
 */
@NullMarked
package io.orrery.partition.format.v1;

import org.jspecify.annotations.NullMarked;
