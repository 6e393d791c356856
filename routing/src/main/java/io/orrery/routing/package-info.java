/**
 * The catalog of resources and the map of partitions: finds who serves a call. May depend on:
 * operation, value, query, partition, script, storage.
 */
@NullMarked
package io.orrery.routing;

import org.jspecify.annotations.NullMarked;
