/** Tests of the engine on RocksDB, with child processes that are killed and disks that fail. */
@NullMarked
package io.orrery.rocksdb;

import org.jspecify.annotations.NullMarked;
