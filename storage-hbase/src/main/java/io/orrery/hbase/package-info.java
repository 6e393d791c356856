/**
 * The storage contract on Apache HBase. May depend on: storage.
 *
 * <h2>Layout in HBase, format 1</h2>
 *
 * <p>One table, one column family {@code d} with one version per cell. A row begins with the
 * partition id in 8 bytes, big endian, and regions are split at such prefixes only, so that a
 * partition lies in one region. The table's description says {@code orrery.format}.
 *
 * <table>
 * <caption>Rows of a partition</caption>
 * <tr><th>row</th><th>column</th><th>value</th></tr>
 * <tr><td>id, 0 (head)</td><td>{@code h}</td><td>the mark</td></tr>
 * <tr><td>id, 1, key (entry)</td><td>{@code v}</td><td>the entry's value</td></tr>
 * <tr><td>id, 2 (tail)</td><td>{@code h}</td><td>the mark again, for scans from the end</td></tr>
 * <tr><td>id, 2 (tail)</td><td>{@code c}, version modulo 4096 in 2 bytes</td><td>version (8) and
 * id (16) of that commit</td></tr>
 * <tr><td>2^63 - 1, 3 (account)</td><td>{@code a}</td><td>marks of the keys that may write,
 * separated by commas: the first 8 bytes of their SHA-256 in hex</td></tr>
 * </table>
 *
 * <p>The mark is a head of 62 bytes (form 1 (1), version (8), lsn (8), epoch (8), state (1; 0 open,
 * 1 sealed), commit ticks (8), next document (8), schema (4), commit id (16)), or empty while the
 * partition was only loaded, or {@code d} once it was dropped, or {@code f} once its rows are freed
 * too. Dropped partitions keep their mark for good.
 *
 * <p>The timestamp of a cell is the version of the commit that wrote it, never the clock: a delete
 * hides what has the same or an older timestamp, also what is written later. Loaded entries have 0,
 * marks of dropped partitions 2^63 - 2, the deletes that free rows one less.
 *
 * <p>The nodes that share a table have one ephemeral entry each in ZooKeeper, under {@code
 * /orrery/TABLE/members}, or {@code /orrery/TABLE@PARENT/members} for an HBase whose own node is
 * not {@code /hbase}; its text is that of {@link io.orrery.hbase.Presence}, and the number of a
 * node is the transaction that made the entry.
 *
 * <p>Invariants: head, tail and entries change in one conditional call to the region, and every
 * answer comes from one scanner of that region that meets the head or the tail first. Versions that
 * one store has seen never fall. A format, once released, stays as it is; a newer one is refused.
 */
@NullMarked
package io.orrery.hbase;

import org.jspecify.annotations.NullMarked;
