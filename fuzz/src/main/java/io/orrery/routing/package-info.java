/**
 * Opens what fuzzing needs of the package to {@code io.orrery.fuzz}. May depend on: operation,
 * value, query, partition, script, storage, cluster.
 */
@NullMarked
package io.orrery.routing;

import org.jspecify.annotations.NullMarked;
