/** The storage contract on one embedded RocksDB. May depend on: storage. */
@NullMarked
package io.orrery.rocksdb;

import org.jspecify.annotations.NullMarked;
