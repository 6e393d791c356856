/**
 * Values in, a value out: comparison, operators and the built-in functions. May depend on:
 * operation, value.
 */
@NullMarked
package io.orrery.query.function;

import org.jspecify.annotations.NullMarked;
