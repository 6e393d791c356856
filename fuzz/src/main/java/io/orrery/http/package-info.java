/**
 * Opens what fuzzing needs of the package to {@code io.orrery.fuzz}. May depend on: operation,
 * value.
 */
@NullMarked
package io.orrery.http;

import org.jspecify.annotations.NullMarked;
