/**
 * The Cosmos DB REST protocol: bytes to operations, outcomes to bytes. May depend on: operation,
 * value, http.
 */
@NullMarked
package io.orrery.nosql;

import org.jspecify.annotations.NullMarked;
