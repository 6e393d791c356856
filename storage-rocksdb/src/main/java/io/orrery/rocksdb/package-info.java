/**
 * The storage contract on one embedded RocksDB. May depend on: storage.
 *
 * <h2>Layout on disk, format 1</h2>
 *
 * <p>The data directory is a RocksDB directory; beside RocksDB's own files it holds {@code native/}
 * (the unpacked library), {@code load/} (files of a bulk load that is not taken in yet; emptied at
 * start), {@code unsynced} (an empty file, there while commits are not synced), {@code rising} (an
 * empty file, there from before a log is cut until every LSN has risen), {@code seal} (16 random
 * bytes: every record of the log ends in them as data that is not applied), {@code cut/} (copies of
 * logs, during a cut), {@code list.new} (a manifest whose end is being dropped) and {@code
 * damaged/} (logs and manifests whose loss was accepted, kept for inspection). Numbers are big
 * endian. {@code id} is a partition id in 8 bytes, never negative.
 *
 * <table>
 * <caption>Column families</caption>
 * <tr><th>family</th><th>key</th><th>value</th></tr>
 * <tr><td>default</td><td>id, key</td><td>the entry's value</td></tr>
 * <tr><td>heads</td><td>id</td><td>the head; empty while the partition is loaded and has none</td></tr>
 * <tr><td>meta</td><td>{@code v}</td><td>format of this layout, 4 bytes</td></tr>
 * <tr><td>meta</td><td>{@code d}, id</td><td>empty; the partition was dropped, kept for good</td></tr>
 * <tr><td>meta</td><td>{@code f}, id</td><td>empty; entries of a dropped partition are not freed</td></tr>
 * </table>
 *
 * <p>A head is 62 bytes: form 1 (1), version (8), lsn (8), epoch (8), state (1; 0 open, 1 sealed),
 * commit ticks (8), next document (8), schema (4), commit id (16).
 *
 * <p>Invariants: a partition's entries, its head and its commit id change in one RocksDB write
 * batch. A partition exists if it has a key in heads. Only the committer's thread writes, so that
 * RocksDB's sequence number says which of its writes a reader has seen. A format, once released,
 * stays as it is; a newer one is refused. Files are taken in or removed as a whole only after all
 * that this rests on is in files itself, not in the log alone.
 */
@NullMarked
package io.orrery.rocksdb;

import org.jspecify.annotations.NullMarked;
