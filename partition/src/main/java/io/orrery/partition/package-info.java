/**
 * Applies operations to one physical partition, the only writer of its key range. May depend on:
 * operation, value, query, storage.
 */
@NullMarked
package io.orrery.partition;

import org.jspecify.annotations.NullMarked;
