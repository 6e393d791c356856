/**
 * Configuration, command line, wiring, certificates and metrics of the running server. May depend
 * on: operation, value, storage, memory, rocksdb, script, cluster, routing, http, nosql, table.
 */
@NullMarked
package io.orrery.server;

import org.jspecify.annotations.NullMarked;
