/**
 * Opens what fuzzing needs of the package to {@code io.orrery.fuzz}. May depend on: operation,
 * value, http.
 */
@NullMarked
package io.orrery.table;

import org.jspecify.annotations.NullMarked;
